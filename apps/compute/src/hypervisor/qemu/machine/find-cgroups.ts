/**
 * Control groups that this process may divide. A group of v2 with processes has no groups with
 * controllers below it ("no internal process constraint"), so either compute is alone in its group,
 * or the settings name a delegated one.
 */
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../hypervisor-error.js';
import { CONTROLLERS, v1Of, v2Of } from './cgroup-files.js';
import { GuestCgroups, type CgroupBase } from './guest-cgroups.js';

export interface FoundCgroups {
  readonly cgroups: GuestCgroups | undefined;
  /** For the start-up lines: `cgroup v2 holds each guest to its limits`. */
  readonly described: string;
}

/** Receives the processes of a group that is divided. */
const OURS = 'cumulet';

/** @param named a group of v2 that is delegated to compute, from the root of its hierarchy */
export async function findCgroups(named: string | undefined): Promise<FoundCgroups> {
  const [mountinfo = '', cgroup = ''] = await Promise.all(
    ['mountinfo', 'cgroup'].map((file) => readFile(`/proc/self/${file}`, 'utf8').catch(() => '')),
  );
  const facts = { mountinfo, cgroup };
  const v2 = v2Of(facts);
  let why = 'there is no cgroup v2';
  if (v2 !== undefined) {
    const folder = named === undefined ? v2.own : join(v2.mount, named);
    const found = await divideV2(folder, named !== undefined);
    if (typeof found !== 'string') return held(found);
    why = found;
  }
  const v1 = named === undefined ? v1Of(facts) : undefined;
  if (v1 && (await isWritable({ version: 1, folders: v1 })))
    return held({ version: 1, folders: v1 });
  return {
    cgroups: undefined,
    described: `guests are not held to their memory and processors, since ${why}`,
  };
}

function held(base: CgroupBase): FoundCgroups {
  const described = `cgroup v${base.version} holds each guest to its memory and processors`;
  return { cgroups: new GuestCgroups(base), described };
}

/** @param moves whether its processes may move to a group below it @returns why not */
export async function divideV2(folder: string, moves: boolean): Promise<CgroupBase | string> {
  const read = (file: string): Promise<string> =>
    readFile(join(folder, file), 'utf8').catch(() => '');
  const offered = (await read('cgroup.controllers')).trim().split(' ');
  const lacking = CONTROLLERS.filter((controller) => !offered.includes(controller));
  if (lacking.length > 0) return `its cgroup v2 is without the controllers ${lacking.join(', ')}`;
  const enable = (): Promise<void> =>
    writeFile(
      join(folder, 'cgroup.subtree_control'),
      CONTROLLERS.map((one) => `+${one}`).join(' '),
    );
  try {
    await enable().catch(async (error: unknown) => {
      if (errorCode(error) !== 'EBUSY' || !moves) throw error;
      await moveProcesses(folder, await read('cgroup.procs'));
      await enable();
    });
  } catch (error) {
    return `its cgroup v2 cannot be parted (${errorCode(error) ?? 'unknown'}; see COMPUTE_CGROUP)`;
  }
  const base: CgroupBase = { version: 2, folders: { cpu: folder, memory: folder } };
  return (await isWritable(base)) ? base : 'its cgroup v2 is not writable';
}

/** @param procs process IDs, one a line */
async function moveProcesses(folder: string, procs: string): Promise<void> {
  const leaf = join(folder, OURS);
  await mkdir(leaf, { recursive: true });
  for (const pid of procs.split('\n').filter(Boolean)) {
    await writeFile(join(leaf, 'cgroup.procs'), pid).catch((error: unknown) => {
      if (errorCode(error) !== 'ESRCH') throw error;
    });
  }
}

async function isWritable({ folders }: CgroupBase): Promise<boolean> {
  try {
    for (const folder of new Set(Object.values(folders))) {
      const probe = join(folder, `cumulet-probe-${process.pid}`);
      await mkdir(probe);
      await rmdir(probe);
    }
    return true;
  } catch {
    return false;
  }
}
