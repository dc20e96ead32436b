/**
 * Slots of the folder that hosts share. Replicas of a container have one environment and one volume, so what
 * tells a host from another is the slot that it locks: name, data folder and tunnel address follow from it, and a
 * container that is created anew finds the guests of the one before.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUseError, lockFolder, type FolderLock } from '@cumulet/common/files/folder-lock';

export const MAX_SLOTS = 64;
/** The socket in a slot's folder at which agents come aboard. */
export const DOOR = 'door.sock';

export interface Slot {
  readonly number: number;
  /** For data of this host alone. */
  readonly folder: string;
  readonly lock: FolderLock;
}

/** No slot is free. The message says who has it. */
export class NoSlotError extends Error {
  override readonly name = 'NoSlotError';
}

/**
 * Takes the lowest free slot that has data of an earlier host, or else the lowest free one.
 * @param only takes this slot, or none
 * @param holder what others are told of this host
 * @throws NoSlotError; FolderLockError if slots cannot be locked; the system's error if they cannot be written
 */
export async function takeSlot(
  folder: string,
  only: number | undefined,
  holder: string,
): Promise<Slot> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const numbers = only === undefined ? await orderOf(folder) : [only];
  let holders = '';
  for (const number of numbers) {
    const path = join(folder, String(number));
    // Guests' users must pass through, and nobody needs to list it.
    await mkdir(path, { recursive: true, mode: 0o711 });
    try {
      return { number, folder: path, lock: await lockFolder(path, holder) };
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      holders = error.holder && ` (${error.holder})`;
    }
  }
  throw new NoSlotError(
    only === undefined
      ? `All ${MAX_SLOTS} slots of ${folder} are taken by other hosts`
      : `Slot ${only} of ${folder} is taken by another host${holders}`,
  );
}

/** Slots in the order in which a host tries them. */
async function orderOf(folder: string): Promise<number[]> {
  const all = Array.from({ length: MAX_SLOTS }, (_, index) => index + 1);
  const used = await Promise.all(all.map((number) => hasData(join(folder, String(number)))));
  return [...all.filter((_, index) => used[index]), ...all.filter((_, index) => !used[index])];
}

/** The lock and the door are there without data, too. */
async function hasData(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name !== 'lock' && name !== DOOR);
}
