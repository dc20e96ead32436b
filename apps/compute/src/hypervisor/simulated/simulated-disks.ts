import { requireGuestId } from '../guest-id.js';
import { guestDiskBytes } from '../guest-images.js';
import type { DisksPort } from '../ports/disks.port.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import { findImages, requireSameImage, type SimulatedShare } from './simulated-share.js';

export class SimulatedDisks implements DisksPort {
  constructor(private readonly share: SimulatedShare) {}

  async ensureDisk(guest: GuestSpec): Promise<void> {
    const { faults, world } = this.share;
    await faults.before('ensureDisk');
    requireGuestId(guest.id);
    const bytes = guestDiskBytes(guest, await findImages(this.share, guest));
    const known = world.guest(guest.id);
    requireSameImage(known, guest);
    known.disk ??= { image: guest.image, bytes };
    await world.keepGuest(guest.id);
  }
}
