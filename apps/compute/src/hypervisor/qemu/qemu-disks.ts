import type { DisksPort } from '../ports/disks.port.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import { guestDiskBytes } from '../guest-images.js';
import { HypervisorError } from '../hypervisor-error.js';
import { rescueOf } from '../rescue-guest.js';
import { ensureOverlay } from './guest-disk.js';
import { localDiskFile, type GuestFolder } from './guest-folder.js';
import { discardDisk, forgetKeptDisks, growDisk, keepDisks, restoreDisks } from './kept-disk.js';
import type { GuestRooms } from './guest-rooms.js';
import { ensureLocalDisks, removeOtherLocalDisks, type DiskPrograms } from './local-disks.js';
import type { QemuImg } from './qemu-img.js';

const CHANGING = "The server's disk could not be changed";

export class QemuDisks implements DisksPort {
  constructor(
    private readonly rooms: GuestRooms,
    private readonly qemuImg: QemuImg,
    private readonly programs: DiskPrograms,
  ) {}

  async ensureDisk(guest: GuestSpec): Promise<void> {
    await this.rooms.inTurn(guest.id, "The server's disk could not be made", async (_, folder) => {
      const images = await this.rooms.imagesOf(guest, folder);
      await ensureOverlay(this.qemuImg, folder, guest, images);
      await this.ensureLocalDisks(folder, guest);
    });
  }

  async keepDisk(guestId: string): Promise<void> {
    await this.changed(guestId, (folder) => keepDisks(this.qemuImg, folder));
  }

  async restoreDisk(guestId: string): Promise<void> {
    await this.changed(guestId, (folder) => restoreDisks(this.qemuImg, folder));
  }

  async forgetKeptDisk({ id, localDisks = [] }: GuestSpec): Promise<void> {
    await this.rooms.inTurn(id, CHANGING, async (machine, folder) => {
      await forgetKeptDisks(this.qemuImg, folder, machine);
      await removeOtherLocalDisks(folder, localDisks);
    });
  }

  async growDisk(guest: GuestSpec): Promise<void> {
    await this.changed(guest.id, async (folder) => {
      const images = await this.rooms.imagesOf(guest, folder);
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
      await ensureOverlay(this.qemuImg, place, rescue, await this.rooms.imagesOf(rescue, place));
    });
  }

  async discardRescueDisk(guestId: string): Promise<void> {
    await this.changed(guestId, (folder) => discardDisk({ ...folder, disk: folder.rescueDisk }));
  }

  private ensureLocalDisks(folder: GuestFolder, { localDisks = [] }: GuestSpec): Promise<void> {
    return ensureLocalDisks(folder, localDisks, this.programs, async (content, path, sizeBytes) =>
      this.qemuImg.copyOf(folder, await this.rooms.imageOf(content), path, sizeBytes),
    );
  }

  /** Changes the disk of a guest that has no machine. */
  private async changed(
    guestId: string,
    work: (folder: GuestFolder) => Promise<void>,
  ): Promise<void> {
    await this.rooms.inTurn(guestId, CHANGING, async (machine, folder) => {
      if (await machine.exists()) {
        throw new HypervisorError('not-ready', "The server's disk is in use.");
      }
      await work(folder);
    });
  }
}
