/** Who has a simulated guest's serial console or screen open. They end with its machine. */
import { Duplex } from 'node:stream';

export class Terminals {
  readonly #open = new Map<string, Set<Terminal>>();

  /** @param typed called with what comes in */
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

  /** What the guest writes to its serial port. */
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

/** A console's bytes, one character each (Latin-1). */
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
