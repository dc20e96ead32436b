/** The host of a simulated driver: images, disks, machines. Plain data. */
import type { BootImage } from '../boot-image.js';
import type { CachedImage } from '../guest-images.js';
import type { GuestSpec, GuestState } from '../hypervisor-driver.js';
import { SharedWork } from '../shared-work.js';

export interface SimulatedGuest {
  disk: { readonly image: BootImage; readonly bytes: number } | undefined;
  state: GuestState;
  /** How often its machine was started. */
  starts: number;
  /** What its current or last machine was started with. */
  startedWith: GuestSpec | undefined;
  console: string;
}

export class SimulatedWorld {
  /** By their names on a host. */
  readonly images = new Map<string, CachedImage>();
  readonly downloads = new SharedWork();
  readonly guests = new Map<string, SimulatedGuest>();

  /** The guest, known from now on. */
  guest(guestId: string): SimulatedGuest {
    let guest = this.guests.get(guestId);
    if (guest === undefined) {
      guest = { disk: undefined, state: 'absent', starts: 0, startedWith: undefined, console: '' };
      this.guests.set(guestId, guest);
    }
    return guest;
  }
}
