/** Open serial consoles and screens of simulated guests, which end with the machine. */
import { Duplex } from 'node:stream';

export class Terminals {
  readonly #open = new Map<string, Set<Terminal>>();

  /** @param typed receives input */
  open(guestId: string, typed: (text: string, terminal: Terminal) => void): Terminal {
    const all = this.#open.get(guestId) ?? new Set();
    this.#open.set(guestId, all);
    const terminal = new Terminal(typed, () => {
      all.delete(terminal);
      if (all.size === 0 && this.#open.get(guestId) === all) this.#open.delete(guestId);
    });
    all.add(terminal);
    return terminal;
  }

  /** The guest's serial output. */
  write(guestId: string, text: string): void {
    for (const terminal of this.#open.get(guestId) ?? []) terminal.show(text);
  }

  end(guestId: string): void {
    for (const terminal of this.#open.get(guestId) ?? []) {
      terminal.push(null);
      terminal.resume();
    }
  }
}

/** One character per byte (Latin-1). */
export class Terminal extends Duplex {
  /** A screen shows nothing of the serial port. */
  isScreen = false;

  constructor(
    private readonly typed: (text: string, terminal: Terminal) => void,
    private readonly gone: () => void,
  ) {
    super({ allowHalfOpen: false });
  }

  show(text: string): void {
    if (!this.isScreen) this.push(Buffer.from(text, 'latin1'));
  }

  override _read(): void {
    // A guest does not wait for its readers.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.typed(chunk.toString('latin1'), this);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.gone();
    done(error);
  }
}
