import type { Duplex } from 'node:stream';
import type { ConsolesPort } from '../ports/consoles.port.js';
import { appendBounded } from './guest-console.js';
import type { GuestRooms } from './guest-rooms.js';
import { SerialLine } from './serial-line.js';

export class QemuConsoles implements ConsolesPort {
  readonly #lines = new Map<string, SerialLine>();

  constructor(
    private readonly rooms: GuestRooms,
    private readonly consoleBytes: number,
  ) {}

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    return this.rooms.inTurn(guestId, 'The console could not be read', (machine) =>
      machine.consoleOutput(lines),
    );
  }

  async openSerial(guestId: string): Promise<Duplex> {
    const doing = 'The serial console could not be opened';
    return this.rooms.inTurn(guestId, doing, async (machine, folder) => {
      const known = this.#lines.get(guestId);
      if (known?.isOpen) return known.open();
      const line = new SerialLine(
        await machine.openSerial(),
        (output) => appendBounded(folder.console, output, this.consoleBytes),
        () => {
          if (this.#lines.get(guestId) === line) this.#lines.delete(guestId);
          // Puts the ring in its place. Where this fails, the next conversation does it.
          this.consoleOutput(guestId, 0).catch(() => undefined);
        },
      );
      this.#lines.set(guestId, line);
      return line.open();
    });
  }

  async openDisplay(guestId: string): Promise<Duplex> {
    return this.rooms.inTurn(guestId, 'The screen could not be opened', (machine) =>
      machine.openDisplay(),
    );
  }
}
