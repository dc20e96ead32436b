/**
 * Control groups that limit guests' memory and processors: one for each guest, named by its ID,
 * below ours. Only the kernel records which process is where.
 *
 * Always holds: a guest's group is found by the guest's ID, or by its process, whichever process
 * made it.
 */
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { requireGuestId } from '../../ports/guest-spec.js';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import { waitUntil } from '../../wait-until.js';
import {
  CONTROLLERS,
  filesOfV1,
  filesOfV2,
  type CgroupLimits,
  type Controller,
  v1Of,
  v2Of,
} from './cgroup-files.js';

/** The kernel keeps a group for a moment after its last process has ended. */
const REMOVE_TIMEOUT_MS = 5_000;

/** The parent of guests' groups: of v2 the same for all controllers. */
export interface CgroupBase {
  readonly version: 1 | 2;
  readonly folders: Readonly<Record<Controller, string>>;
}

export class GuestCgroups {
  constructor(private readonly base: CgroupBase) {}

  /** Makes the guest's group, or changes its limits. */
  async prepare(guestId: string, limits: CgroupLimits): Promise<void> {
    for (const folder of this.#folders(guestId)) {
      await mkdir(folder).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
    }
    const { version, folders } = this.base;
    for (const [controller, file, value] of version === 2 ? filesOfV2(limits) : filesOfV1(limits))
      await writeFile(join(folders[controller], nameOf(guestId), file), value);
  }

  /** Limits a process that has just been started, and all that it starts. */
  async enter(guestId: string, pid: number): Promise<void> {
    for (const folder of this.#folders(guestId))
      await writeFile(join(folder, 'cgroup.procs'), String(pid));
  }

  /** @returns the groups of the guest's process, which compute itself may have left since */
  async of(guestId: string, pid: number | undefined): Promise<string[]> {
    const own = this.#folders(guestId);
    if (pid === undefined) return own;
    const [mountinfo, cgroup] = await Promise.all([
      readFile('/proc/self/mountinfo', 'utf8'),
      readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => ''),
    ]);
    const facts = { mountinfo, cgroup };
    const found = [v2Of(facts)?.own, ...Object.values(v1Of(facts) ?? {})];
    const named = found.filter((folder) => folder && basename(folder) === nameOf(guestId));
    return [...new Set([...own, ...(named as string[])])];
  }

  /** @param folders of a guest whose process has ended */
  async remove(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      let failure: unknown;
      const removed = await waitUntil(async () => {
        failure = await rmdir(folder).catch((error: unknown) => error);
        return failure === undefined || errorCode(failure) !== 'EBUSY';
      }, REMOVE_TIMEOUT_MS);
      if (!removed)
        throw new HypervisorError('transient', "The server's processes do not end.", failure);
      if (failure !== undefined && errorCode(failure) !== 'ENOENT') throw failure as Error;
    }
  }

  #folders(guestId: string): string[] {
    const { folders } = this.base;
    return [...new Set(CONTROLLERS.map((one) => join(folders[one], nameOf(guestId))))];
  }
}

function nameOf(guestId: string): string {
  requireGuestId(guestId);
  return `cumulet-${guestId}`;
}
