import { createReadStream } from 'node:fs';
import { guestDiskBytes } from '../../guest-images.js';
import { HypervisorError } from '../../hypervisor-error.js';
import type { CopiesPort, OpenCopy } from '../../hypervisor-driver.js';
import { STANDARD_HARDWARE } from '../../ports/guest-hardware.js';
import { type GuestSpec, numberOf } from '../../ports/guest-spec.js';
import { freezeOf } from '../../quiesce.js';
import { thawIfFrozen, whileFrozen } from '../agent/guest-freeze.js';
import { DISK, localDiskFile, localDiskFiles, type GuestFolder } from '../guest-folder.js';
import type { GuestMachine } from '../machine/guest-machine.js';
import type { GuestRegistry } from '../guest-registry.js';
import type { GuestUsers } from '../guest-users.js';
import type { QemuImg } from '../image/qemu-img.js';
import { DiskCopy, sizeOf } from './disk-copy.js';
import { overlayExists } from './guest-disk.js';

const LOST = 'The server has lost a disk on the host.';
const DOING = "The server's disk could not be copied";

export class QemuCopies implements CopiesPort {
  constructor(
    private readonly registry: GuestRegistry,
    private readonly qemuImg: QemuImg,
    private readonly users: GuestUsers,
  ) {}

  copyDisk(guest: GuestSpec, copyId: string, local?: number): Promise<boolean> {
    return this.registry.inTurn(guest.id, DOING, async (machine, folder) => {
      const copy = this.copy(folder, copyId);
      if (await copy.isWhole()) return true;
      if (local !== undefined) {
        await copyLocal(guest, local, copy, machine, folder);
        return true;
      }
      if (await machine.exists()) return copyLive(guest, copy, machine, folder);
      const images = await this.registry.imagesOf(guest, folder);
      if (!(await overlayExists(folder, images.base)))
        throw new HypervisorError('not-ready', 'The server has no disk on the host.');
      await copy.makeFrom(DISK, guestDiskBytes(guest, images), images.base);
      return true;
    });
  }

  openCopy(guestId: string, copyId: string): Promise<OpenCopy> {
    return this.registry.inTurn(guestId, DOING, async (_, folder) => {
      const { path } = this.copy(folder, copyId);
      const sizeBytes = await sizeOf(path);
      if (sizeBytes === undefined)
        throw new HypervisorError('not-ready', 'There is no copy of the disk on the host.');
      return { sizeBytes, data: createReadStream(path) };
    });
  }

  removeCopy(guestId: string, copyId: string): Promise<void> {
    return this.registry.inTurn(guestId, DOING, async (machine, folder) => {
      const copy = this.copy(folder, copyId);
      if (await machine.exists()) {
        await machine.converse((monitor) => copy.cancel(monitor));
        await thawIfFrozen(folder);
      }
      await copy.removeFiles();
    });
  }

  private copy(folder: GuestFolder, copyId: string): DiskCopy {
    return new DiskCopy(folder, copyId, this.qemuImg, this.users.of(folder.guestId));
  }
}

async function copyLocal(
  { localDisks = [] }: GuestSpec,
  local: number,
  copy: DiskCopy,
  machine: GuestMachine,
  folder: GuestFolder,
): Promise<void> {
  if (await machine.exists())
    throw new HypervisorError('not-ready', "The server's disk is in use.");
  const index = localDisks.findIndex((disk, at) => numberOf(disk, at) === local);
  const disk = localDisks[index];
  if (disk === undefined) throw new HypervisorError('not-ready', LOST);
  const name = localDiskFile(disk, index);
  if (!(await localDiskFiles(folder)).includes(name)) throw new HypervisorError('not-ready', LOST);
  await copy.makeFrom(name, disk.sizeMb * 1024 ** 2);
}

async function copyLive(
  { hardware = STANDARD_HARDWARE }: GuestSpec,
  copy: DiskCopy,
  machine: GuestMachine,
  folder: GuestFolder,
): Promise<boolean> {
  await thawIfFrozen(folder);
  if (await machine.converse((monitor) => copy.isBegun(monitor)))
    return machine.converse((monitor) => copy.continueLive(monitor));
  const begin = (): Promise<void> => machine.converse((monitor) => copy.begin(monitor));
  const freeze = freezeOf(hardware, await machine.state());
  if (freeze === 'no') await begin();
  else await whileFrozen(folder, freeze === 'must', begin);
  return false;
}
