import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ConsolesPort } from '../../hypervisor-driver.js';
import type { GuestRegistry } from '../guest-registry.js';
import { appendBounded } from './guest-console.js';

export class QemuConsoles implements ConsolesPort {
  readonly #lines = new Map<string, SerialLine>();

  constructor(
    private readonly registry: GuestRegistry,
    private readonly consoleBytes: number,
  ) {}

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    return this.registry.inTurn(guestId, 'The console could not be read', (machine) =>
      machine.consoleOutput(lines),
    );
  }

  async openSerial(guestId: string): Promise<Duplex> {
    const doing = 'The serial console could not be opened';
    return this.registry.inTurn(guestId, doing, async (machine, folder) => {
      const known = this.#lines.get(guestId);
      if (known?.isOpen) return known.open();
      const line = new SerialLine(
        await machine.openSerial(),
        (output) => appendBounded(folder.console, output, this.consoleBytes),
        () => {
          if (this.#lines.get(guestId) === line) this.#lines.delete(guestId);
          // Switches back to the ring; if this fails, the next conversation does.
          this.consoleOutput(guestId, 0).catch(() => undefined);
        },
      );
      this.#lines.set(guestId, line);
      return line.open();
    });
  }

  async openDisplay(guestId: string): Promise<Duplex> {
    return this.registry.inTurn(guestId, 'The screen could not be opened', (machine) =>
      machine.openDisplay(),
    );
  }
}

/** Bytes that a reader may lag behind; one that is slower is cut off. */
const MAX_BEHIND = 1024 * 1024;

/** A connection to a guest's serial port, shared by its readers; the output is kept as well. */
export class SerialLine {
  readonly #readers = new Set<Reader>();
  #pending: Buffer[] = [];
  #keeping: Promise<void> | undefined;

  /** @param ended called once, when the guest or the last reader has gone */
  constructor(
    private readonly socket: Socket,
    private readonly keep: (output: Buffer) => Promise<void>,
    ended: () => void,
  ) {
    socket.on('data', (output: Buffer) => this.#write(output));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      for (const reader of this.#readers) reader.push(null);
      this.#readers.clear();
      void this.#kept().then(ended);
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  open(): Duplex {
    const reader = new Reader(this.socket, () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.socket.destroy();
    });
    this.#readers.add(reader);
    return reader;
  }

  #write(output: Buffer): void {
    this.#pending.push(output);
    this.#keeping ??= this.#keepPending();
    for (const reader of this.#readers) {
      if (reader.readableLength > MAX_BEHIND) reader.destroy();
      else reader.push(output);
    }
  }

  /** One write at a time: later output waits for the next. */
  async #keepPending(): Promise<void> {
    while (this.#pending.length > 0) {
      const output = Buffer.concat(this.#pending);
      this.#pending = [];
      // A full disk costs the history, not the session.
      await this.keep(output).catch(() => undefined);
    }
    this.#keeping = undefined;
  }

  async #kept(): Promise<void> {
    await this.#keeping;
  }
}

class Reader extends Duplex {
  constructor(
    private readonly socket: Socket,
    private readonly gone: () => void,
  ) {
    super();
  }

  override _read(): void {
    // The guest does not wait for its readers.
  }

  override _write(typed: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(typed, done);
  }

  override _final(done: () => void): void {
    done();
    this.destroy();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.gone();
    done(error);
  }
}
