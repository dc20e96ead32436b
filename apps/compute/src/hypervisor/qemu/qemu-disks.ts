import type { DisksPort } from '../ports/disks.port.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import { ensureOverlay } from './guest-disk.js';
import type { GuestRooms } from './guest-rooms.js';
import type { QemuImg } from './qemu-img.js';

export class QemuDisks implements DisksPort {
  constructor(
    private readonly rooms: GuestRooms,
    private readonly qemuImg: QemuImg,
  ) {}

  async ensureDisk(guest: GuestSpec): Promise<void> {
    await this.rooms.inTurn(guest.id, "The server's disk could not be made", async (_, folder) => {
      const images = await this.rooms.imagesOf(guest, folder);
      await ensureOverlay(this.qemuImg, folder, guest, images);
    });
  }
}
