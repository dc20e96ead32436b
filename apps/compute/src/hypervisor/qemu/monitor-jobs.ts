import { HypervisorError } from '../hypervisor-error.js';
import { waitUntil } from '../wait-until.js';
import type { QmpConnection } from './qmp-connection.js';

/** How long a job may take, in milliseconds: it writes a guest's memory to its disk. */
const JOB_TIMEOUT_MS = 240_000;
const JOB_ID = 'cumulet';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
}

/**
 * Runs a command of QEMU's that is a job to its end ("QEMU QMP Reference Manual", Background jobs).
 * @returns why it failed, or undefined
 * Throws `transient` if it does not end in time.
 */
export async function runJob(
  monitor: QmpConnection,
  command: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  // One whose caller has died.
  await ended(monitor);
  await monitor.execute(command, { ...args, 'job-id': JOB_ID });
  return (await ended(monitor))?.error;
}

/** Waits for the job, if there is one, and forgets it. */
async function ended(monitor: QmpConnection): Promise<Job | undefined> {
  let job: Job | undefined;
  const done = await waitUntil(async () => {
    job = ((await monitor.execute('query-jobs')) as Job[]).find(({ id }) => id === JOB_ID);
    return job === undefined || job.status === 'concluded';
  }, JOB_TIMEOUT_MS);
  if (!done) throw new HypervisorError('transient', "The server's machine is still at work.");
  if (job !== undefined) await monitor.execute('job-dismiss', { id: JOB_ID });
  return job;
}
