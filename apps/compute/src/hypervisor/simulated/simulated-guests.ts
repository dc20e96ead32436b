import { requireGuestId } from '../guest-id.js';
import type { GuestsPort } from '../ports/guests.port.js';
import type { SimulatedShare } from './simulated-share.js';

export class SimulatedGuests implements GuestsPort {
  constructor(private readonly share: SimulatedShare) {}

  async list(): Promise<string[]> {
    await this.share.faults.before('list');
    return [...this.share.world.guests.keys()].sort();
  }

  async destroy(guestId: string): Promise<void> {
    await this.share.faults.before('destroy');
    requireGuestId(guestId);
    this.share.world.guests.delete(guestId);
    this.share.terminals.end(guestId);
    await this.share.world.keepGuest(guestId);
  }
}
