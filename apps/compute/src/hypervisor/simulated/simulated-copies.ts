import { Readable } from 'node:stream';
import { requireGuestId } from '../guest-id.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { CopiesPort, OpenCopy } from '../ports/copies.port.js';
import { STANDARD_HARDWARE } from '../ports/guest-hardware.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import { freezeOf } from '../quiesce.js';
import { findGuest, type SimulatedShare } from './simulated-share.js';
import type { SimulatedGuest } from './simulated-world.js';

const MIB = 1024 ** 2;

/** A copy is a qcow2 header of the disk's size: there are no blocks to copy. */
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
