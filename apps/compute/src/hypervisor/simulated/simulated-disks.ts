import { requireGuestId } from '../guest-id.js';
import { cachedDisk, guestDiskBytes } from '../guest-images.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { DisksPort } from '../ports/disks.port.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import { numberOf } from '../ports/local-disk.js';
import { rescueOf } from '../rescue-guest.js';
import {
  findGuest,
  findImage,
  findImages,
  requireSameImage,
  type SimulatedShare,
} from './simulated-share.js';
import type { SimulatedDisk, SimulatedGuest, SimulatedLocalDisks } from './simulated-world.js';

const NO_DISKS = {
  disk: undefined,
  keptDisk: undefined,
  localDisks: {},
  keptLocalDisks: undefined,
};

/** Those of a new guest. */
function madeLocalDisks({ localDisks = [] }: GuestSpec): SimulatedLocalDisks {
  return Object.fromEntries(
    localDisks.map((disk, index) => {
      const { sizeMb, format, content } = disk;
      const made = content === undefined ? {} : { content: content.id };
      return [numberOf(disk, index), { sizeMb, format, ...made }];
    }),
  );
}

export class SimulatedDisks implements DisksPort {
  constructor(private readonly share: SimulatedShare) {}

  async ensureDisk(guest: GuestSpec): Promise<void> {
    const { faults, world } = this.share;
    await faults.before('ensureDisk');
    requireGuestId(guest.id);
    const bytes = guestDiskBytes(guest, await findImages(this.share, guest));
    const known = world.guest(guest.id);
    requireSameImage(known, guest);
    for (const { content } of guest.localDisks ?? [])
      if (content) await cachedDisk(content, (image) => findImage(this.share, image));
    known.disk ??= { image: guest.image, bytes };
    known.localDisks = { ...madeLocalDisks(guest), ...known.localDisks };
    await world.keepGuest(guest.id);
  }

  async keepDisk(guestId: string): Promise<void> {
    await this.share.faults.before('keepDisk');
    const guest = this.requireDisk(guestId);
    guest.keptDisk ??= guest.disk;
    guest.keptLocalDisks = { ...guest.localDisks, ...guest.keptLocalDisks };
    await this.share.world.keepGuest(guestId);
  }

  async restoreDisk(guestId: string): Promise<void> {
    await this.share.faults.before('restoreDisk');
    const guest = this.requireDisk(guestId);
    guest.disk = guest.keptDisk ?? guest.disk;
    guest.localDisks = { ...guest.localDisks, ...guest.keptLocalDisks };
    guest.keptDisk = undefined;
    guest.keptLocalDisks = undefined;
    await this.share.world.keepGuest(guestId);
  }

  async forgetKeptDisk(spec: GuestSpec): Promise<void> {
    await this.share.faults.before('forgetKeptDisk');
    const guest = findGuest(this.share, spec.id);
    if (guest) {
      const wanted = madeLocalDisks(spec);
      const left = Object.entries(guest.localDisks ?? {}).filter(([at]) =>
        Object.hasOwn(wanted, at),
      );
      guest.localDisks = Object.fromEntries(left);
      guest.keptDisk = undefined;
      guest.keptLocalDisks = undefined;
    }
    await this.share.world.keepGuest(spec.id);
  }

  async growDisk(guest: GuestSpec): Promise<void> {
    await this.share.faults.before('growDisk');
    const wanted = guestDiskBytes(guest, await findImages(this.share, guest));
    const known = this.requireDisk(guest.id);
    const { image, bytes } = known.disk;
    known.disk = { image, bytes: Math.max(bytes, wanted) };
    const before = known.localDisks ?? {};
    const grown = Object.entries(madeLocalDisks(guest)).map(([at, disk]) => {
      const known = before[Number(at)] ?? disk;
      return [at, { ...known, sizeMb: Math.max(known.sizeMb, disk.sizeMb) }];
    });
    known.localDisks = { ...before, ...(Object.fromEntries(grown) as SimulatedLocalDisks) };
    await this.share.world.keepGuest(guest.id);
  }

  async discardDisk(guestId: string): Promise<void> {
    await this.share.faults.before('discardDisk');
    const guest = findGuest(this.share, guestId);
    if (guest) Object.assign(guest, NO_DISKS);
    await this.share.world.keepGuest(guestId);
  }

  async ensureRescueDisk(guest: GuestSpec): Promise<void> {
    await this.share.faults.before('ensureRescueDisk');
    const rescue = rescueOf(guest);
    if (rescue === undefined) throw new HypervisorError('bug', 'The server is not rescued.');
    const bytes = guestDiskBytes(rescue, await findImages(this.share, rescue));
    const known = this.requireDisk(guest.id);
    known.rescueDisk ??= { image: rescue.image, bytes };
    await this.share.world.keepGuest(guest.id);
  }

  async discardRescueDisk(guestId: string): Promise<void> {
    await this.share.faults.before('discardRescueDisk');
    const guest = findGuest(this.share, guestId);
    if (guest?.rescueDisk) this.requireDisk(guestId).rescueDisk = undefined;
    await this.share.world.keepGuest(guestId);
  }

  private requireDisk(guestId: string): SimulatedGuest & { disk: SimulatedDisk } {
    const guest = findGuest(this.share, guestId);
    if (guest?.disk === undefined) {
      throw new HypervisorError('not-ready', 'The server has no disk on the host.');
    }
    if (guest.state !== 'absent') {
      throw new HypervisorError('not-ready', "The server's disk is in use.");
    }
    return guest as SimulatedGuest & { disk: SimulatedDisk };
  }
}
