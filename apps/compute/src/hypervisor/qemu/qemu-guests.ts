import { readdir, rm } from 'node:fs/promises';
import { isGuestId } from '../guest-id.js';
import type { GuestsPort } from '../ports/guests.port.js';
import type { GuestCgroups } from './guest-cgroups.js';
import { findGuestProcesses } from './guest-process.js';
import type { GuestRooms } from './guest-rooms.js';

/** A file that is written while its folder is being removed makes one attempt fail. */
const REMOVE_RETRIES = 5;

export class QemuGuests implements GuestsPort {
  constructor(
    private readonly rooms: GuestRooms,
    private readonly cgroups: GuestCgroups | undefined,
  ) {}

  async list(): Promise<string[]> {
    const folders = await readdir(this.rooms.path);
    const processes = await findGuestProcesses(this.rooms.path);
    return [...new Set([...folders.filter(isGuestId), ...processes.keys()])].sort();
  }

  async destroy(guestId: string): Promise<void> {
    await this.rooms.inTurn(guestId, 'The server could not be removed', async (machine, folder) => {
      const groups = await this.cgroups?.of(guestId, await machine.pid());
      // Another process may start it until the files are gone, but not after.
      do {
        await machine.kill();
        await rm(folder.path, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
      } while (await machine.exists());
      await this.cgroups?.remove(groups ?? []);
    });
  }
}
