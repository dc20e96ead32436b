/**
 * Data folders in which a cloud has started before, and was stopped. A first start makes databases
 * and the guest image, which takes longer than the tests of many files; so one start does it for all
 * clouds of a run that begin alike, and they start in copies.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { outputOf } from './run-program.js';

/** A first start depends on this setting of the cloud, and on none of its drivers. */
const KEPT = 'CUMULET_SEED_MICRO';

/** The soonest to start; and OVN's files belong to users of their folder's own. */
const DRIVERS = { COMPUTE_HYPERVISOR: 'simulated', NETWORK_DATA_PLANE: 'simulated' };

const LIMIT_MS = 300_000;

type Settings = Readonly<Record<string, string>>;

/**
 * Makes `folder` a copy of the run's folder for such clouds.
 * @param make starts and stops a cloud with these settings in that folder; it is called for the first
 *   of them, while others wait
 */
export async function copyStartedFolder(
  folder: string,
  settings: Settings,
  make: (folder: string, settings: Settings) => Promise<void>,
): Promise<void> {
  const seedsMicro = settings[KEPT] ?? 'true';
  const name = `micro-${seedsMicro}`;
  const started = join(runFolder(), name);
  await eventually('a data folder', LIMIT_MS, async () => {
    if (existsSync(started)) return true;
    // Who can make the folder makes what is in it.
    const making = `${started}.new`;
    if (!(await makesFolder(making))) return undefined;
    try {
      // Unless another has just finished.
      if (!existsSync(started)) {
        await make(making, { ...DRIVERS, [KEPT]: seedsMicro });
        await rename(making, started);
      }
    } finally {
      await rm(making, { recursive: true, force: true });
    }
    return true;
  });
  // Parts of it belong to other users: a database does not run as root.
  await outputOf('cp', ['--archive', `${started}/.`, folder]);
}

/** @returns whether it was not there */
async function makesFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @throws Error unless this is a run of Jest with its global setup */
function runFolder(): string {
  const folder = process.env['CUMULET_TEST_FOLDERS'];
  if (!folder) throw new Error('CUMULET_TEST_FOLDERS is not set');
  return folder;
}
