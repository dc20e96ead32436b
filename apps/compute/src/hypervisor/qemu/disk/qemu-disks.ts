import { access, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sync } from '@cumulet/common/files/durable-file';
import type { DisksPort } from '../../hypervisor-driver.js';
import { type GuestSpec, rescueOf } from '../../ports/guest-spec.js';
import { guestDiskBytes } from '../../guest-images.js';
import { HypervisorError } from '../../hypervisor-error.js';
import { localDiskFile, type GuestFolder, DISK, localDiskFiles } from '../guest-folder.js';
import type { GuestRegistry } from '../guest-registry.js';
import type { QemuImg } from '../image/qemu-img.js';
import type { GuestMachine } from '../machine/guest-machine.js';
import { ensureOverlay } from './guest-disk.js';
import { ensureLocalDisks, removeOtherLocalDisks, type DiskPrograms } from './local-disks.js';

const CHANGING = "The server's disk could not be changed";

export class QemuDisks implements DisksPort {
  constructor(
    private readonly registry: GuestRegistry,
    private readonly qemuImg: QemuImg,
    private readonly programs: DiskPrograms,
  ) {}

  async ensureDisk(guest: GuestSpec): Promise<void> {
    await this.registry.inTurn(
      guest.id,
      "The server's disk could not be made",
      async (_, folder) => {
        const images = await this.registry.imagesOf(guest, folder);
        await ensureOverlay(this.qemuImg, folder, guest, images);
        await this.ensureLocalDisks(folder, guest);
      },
    );
  }

  async keepDisk(guestId: string): Promise<void> {
    await this.changed(guestId, (folder) => keepDisks(this.qemuImg, folder));
  }

  async restoreDisk(guestId: string): Promise<void> {
    await this.changed(guestId, (folder) => restoreDisks(this.qemuImg, folder));
  }

  async forgetKeptDisk({ id, localDisks = [] }: GuestSpec): Promise<void> {
    await this.registry.inTurn(id, CHANGING, async (machine, folder) => {
      await forgetKeptDisks(this.qemuImg, folder, machine);
      await removeOtherLocalDisks(folder, localDisks);
    });
  }

  async growDisk(guest: GuestSpec): Promise<void> {
    await this.changed(guest.id, async (folder) => {
      const images = await this.registry.imagesOf(guest, folder);
      await growDisk(this.qemuImg, folder, guestDiskBytes(guest, images));
      const { localDisks = [] } = guest;
      await this.ensureLocalDisks(folder, guest);
      for (const [index, disk] of localDisks.entries())
        await growDisk(this.qemuImg, folder, disk.sizeMb * 1024 ** 2, localDiskFile(disk, index));
    });
  }

  async discardDisk(guestId: string): Promise<void> {
    await this.changed(guestId, discardDisk);
  }

  async ensureRescueDisk(guest: GuestSpec): Promise<void> {
    const rescue = rescueOf(guest);
    if (rescue === undefined) throw new HypervisorError('bug', 'The server is not rescued.');
    await this.changed(guest.id, async (folder) => {
      const place = { ...folder, disk: folder.rescueDisk };
      await ensureOverlay(this.qemuImg, place, rescue, await this.registry.imagesOf(rescue, place));
    });
  }

  async discardRescueDisk(guestId: string): Promise<void> {
    await this.changed(guestId, (folder) => discardDisk({ ...folder, disk: folder.rescueDisk }));
  }

  private ensureLocalDisks(folder: GuestFolder, { localDisks = [] }: GuestSpec): Promise<void> {
    return ensureLocalDisks(folder, localDisks, this.programs, async (content, path, sizeBytes) =>
      this.qemuImg.copyOf(folder, await this.registry.imageOf(content), path, sizeBytes),
    );
  }

  /** Changes the disk of a guest without a machine. */
  private async changed(
    guestId: string,
    work: (folder: GuestFolder) => Promise<void>,
  ): Promise<void> {
    await this.registry.inTurn(guestId, CHANGING, async (machine, folder) => {
      if (await machine.exists()) {
        throw new HypervisorError('not-ready', "The server's disk is in use.");
      }
      await work(folder);
    });
  }
}

/** Internal snapshots of disks before a resize; restoring one restores the disk's size, too. */

const KEPT_TAG = 'kept';

/** See `keepDisk` of the port. */
async function keepDisks(qemuImg: QemuImg, folder: GuestFolder): Promise<void> {
  await requireDisk(folder);
  for (const disk of await ownDisks(folder)) {
    if (await isKept(qemuImg, folder, disk)) continue;
    await qemuImg.onLayer(folder, (file) => ['snapshot', '-c', KEPT_TAG, file], disk);
  }
}

/** See `restoreDisk` of the port. A disk that was not kept has not been changed. */
async function restoreDisks(qemuImg: QemuImg, folder: GuestFolder): Promise<void> {
  await requireDisk(folder);
  for (const disk of await ownDisks(folder)) {
    if (!(await isKept(qemuImg, folder, disk))) continue;
    await qemuImg.onLayer(folder, (file) => ['snapshot', '-a', KEPT_TAG, file], disk);
    await qemuImg.onLayer(folder, (file) => ['snapshot', '-d', KEPT_TAG, file], disk);
  }
}

/** See `forgetKeptDisk` of the port; a machine changes the disks that it uses itself. */
export async function forgetKeptDisks(
  qemuImg: QemuImg,
  folder: GuestFolder,
  machine: GuestMachine,
): Promise<void> {
  if (await machine.exists()) return machine.forgetKeptDisks(KEPT_TAG);
  if (!(await hasDisk(folder))) return;
  for (const disk of await ownDisks(folder))
    if (await isKept(qemuImg, folder, disk))
      await qemuImg.onLayer(folder, (file) => ['snapshot', '-d', KEPT_TAG, file], disk);
}

/** See `growDisk` of the port. @param bytes minimum size @param disk its name in the folder */
export async function growDisk(
  qemuImg: QemuImg,
  folder: GuestFolder,
  bytes: number,
  disk = DISK,
): Promise<void> {
  await requireDisk(folder);
  const info = await infoOf(qemuImg, folder, disk);
  if (info['virtual-size'] >= bytes) return;
  await qemuImg.onLayer(folder, (file) => ['resize', '-q', file, `${bytes}`], disk);
}

/** See `discardDisk` of the port. */
export async function discardDisk(folder: GuestFolder): Promise<void> {
  if (!(await hasDisk(folder))) return;
  await rm(folder.disk, { force: true });
  if (basename(folder.disk) === DISK)
    for (const name of await localDiskFiles(folder))
      await rm(join(folder.path, name), { force: true });
  await sync(folder.path);
}

async function ownDisks(folder: GuestFolder): Promise<string[]> {
  return [DISK, ...(await localDiskFiles(folder))];
}

interface DiskInfo {
  readonly 'virtual-size': number;
  readonly snapshots?: readonly { readonly name: string }[];
}

async function infoOf(qemuImg: QemuImg, folder: GuestFolder, disk: string): Promise<DiskInfo> {
  const { stdout } = await qemuImg.onLayer(folder, (file) => ['info', '--output=json', file], disk);
  return JSON.parse(stdout.toString()) as DiskInfo;
}

async function isKept(qemuImg: QemuImg, folder: GuestFolder, disk: string): Promise<boolean> {
  const { snapshots = [] } = await infoOf(qemuImg, folder, disk);
  return snapshots.some(({ name }) => name === KEPT_TAG);
}

async function hasDisk(folder: GuestFolder): Promise<boolean> {
  return access(folder.disk).then(
    () => true,
    () => false,
  );
}

async function requireDisk(folder: GuestFolder): Promise<void> {
  if (await hasDisk(folder)) return;
  throw new HypervisorError('not-ready', 'The server has no disk on the host.');
}
