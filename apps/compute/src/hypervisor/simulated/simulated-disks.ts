import { Readable } from 'node:stream';
import { requireGuestId, type GuestSpec, numberOf, rescueOf } from '../ports/guest-spec.js';
import { cachedDisk, guestDiskBytes } from '../guest-images.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { DisksPort, CopiesPort, OpenCopy } from '../hypervisor-driver.js';
import { STANDARD_HARDWARE } from '../ports/guest-hardware.js';
import { freezeOf } from '../quiesce.js';
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

const MIB = 1024 ** 2;

/** A copy is a qcow2 header of the disk's size. */
export class SimulatedCopies implements CopiesPort {
  constructor(private readonly share: SimulatedShare) {}

  async copyDisk(guest: GuestSpec, copyId: string, local?: number): Promise<boolean> {
    await this.share.faults.before('copyDisk');
    requireGuestId(copyId);
    const known = findGuest(this.share, guest.id);
    if (known?.disk === undefined)
      throw new HypervisorError('not-ready', 'The server has no disk on the host.');
    freezeOf(guest.hardware ?? STANDARD_HARDWARE, known.state);
    const bytes = local === undefined ? known.disk.bytes : localBytes(known, local);
    known.copies = { ...known.copies, [copyId]: bytes };
    await this.share.world.keepGuest(guest.id);
    return true;
  }

  async openCopy(guestId: string, copyId: string): Promise<OpenCopy> {
    await this.share.faults.before('openCopy');
    const bytes = findGuest(this.share, guestId)?.copies?.[copyId];
    if (bytes === undefined)
      throw new HypervisorError('not-ready', 'There is no copy of the disk on the host.');
    const file = emptyQcow2(bytes);
    return { sizeBytes: file.length, data: Readable.from([file]) };
  }

  async removeCopy(guestId: string, copyId: string): Promise<void> {
    await this.share.faults.before('removeCopy');
    const known = findGuest(this.share, guestId);
    if (known?.copies?.[copyId] === undefined) return;
    const { [copyId]: _removed, ...others } = known.copies;
    known.copies = others;
    await this.share.world.keepGuest(guestId);
  }
}

function localBytes({ state, localDisks }: SimulatedGuest, local: number): number {
  if (state !== 'absent') throw new HypervisorError('not-ready', "The server's disk is in use.");
  const disk = localDisks?.[local];
  if (disk === undefined)
    throw new HypervisorError('not-ready', 'The server has lost a disk on the host.');
  return disk.sizeMb * MIB;
}

const HEADER_BYTES = 104;
const CLUSTER_BITS = 16;

/** "The qcow2 image format": a header without a table of blocks. */
function emptyQcow2(virtualSizeBytes: number): Buffer {
  const file = Buffer.alloc(2 ** CLUSTER_BITS);
  file.write('QFI\xfb', 'latin1');
  file.writeUInt32BE(3, 4);
  file.writeUInt32BE(CLUSTER_BITS, 20);
  file.writeBigUInt64BE(BigInt(virtualSizeBytes), 24);
  file.writeUInt32BE(4, 96);
  file.writeUInt32BE(HEADER_BYTES, 100);
  return file;
}
