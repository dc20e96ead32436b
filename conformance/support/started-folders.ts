/**
 * Data folders in which a cloud has started before, and was stopped. A first start makes databases
 * and the guest image, which takes longer than the tests of many files; so one start does it for all
 * clouds of a run that begin alike, and they start in copies.
 */
import { oncePerRun } from './once-per-run.js';
import { outputOf } from './run-program.js';

/** A first start depends on this setting of the cloud, and on none of its drivers. */
const KEPT = 'CUMULET_SEED_MICRO';

/** The soonest to start; and OVN's files belong to users of their folder's own. */
const DRIVERS = { COMPUTE_HYPERVISOR: 'simulated', NETWORK_DATA_PLANE: 'simulated' };

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
  const started = await oncePerRun(`micro-${seedsMicro}`, (making) =>
    make(making, { ...DRIVERS, [KEPT]: seedsMicro }),
  );
  // Parts of it belong to other users: a database does not run as root.
  await outputOf('cp', ['--archive', `${started}/.`, folder]);
}
