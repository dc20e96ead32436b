import type { ConsolesPort } from '../ports/consoles.port.js';
import type { GuestRooms } from './guest-rooms.js';

export class QemuConsoles implements ConsolesPort {
  constructor(private readonly rooms: GuestRooms) {}

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    return this.rooms.inTurn(guestId, 'The console could not be read', (machine) =>
      machine.consoleOutput(lines),
    );
  }
}
