/**
 * A guest's memory as an internal snapshot of its qcow2 layer ("QEMU QMP Reference Manual",
 * snapshot-save), so that QEMU needs no further file.
 *
 * Always holds: while the mark exists, the guest does not run, so that disk and memory belong
 * together whenever a process dies.
 */
import { access, rm } from 'node:fs/promises';
import { sync, writeDurably } from '@cumulet/common/files/durable-file';
import { HypervisorError } from '../../hypervisor-error.js';
import { waitUntil } from '../../wait-until.js';
import type { GuestFolder } from '../guest-folder.js';
import type { QmpConnection } from './qmp-connection.js';

const TAG = 'suspended';

export async function isSuspended(folder: GuestFolder): Promise<boolean> {
  return access(folder.suspended).then(
    () => true,
    () => false,
  );
}

/** Stops the guest and saves its memory. If that fails, it resumes the guest. */
export async function saveMemory(monitor: QmpConnection, folder: GuestFolder): Promise<void> {
  await monitor.execute('stop');
  const devices = await writableNodes(monitor);
  try {
    // A snapshot that was broken off, or never deleted.
    await forgetMemory(monitor, devices);
    const failure = await runJob(monitor, 'snapshot-save', { tag: TAG, vmstate: 'disk', devices });
    if (failure !== undefined) throw notSaved(failure);
    await writeDurably(folder.suspended, '');
  } catch (error) {
    await monitor.execute('cont').catch(() => undefined);
    throw error;
  }
}

/** Loads the memory into a machine that was started stopped, and resumes the guest. */
export async function restoreMemory(monitor: QmpConnection, folder: GuestFolder): Promise<void> {
  const devices = await writableNodes(monitor);
  const failure = await runJob(monitor, 'snapshot-load', { tag: TAG, vmstate: 'disk', devices });
  if (failure !== undefined) {
    const message = "The server's memory could not be restored.";
    throw new HypervisorError('not-ready', message, failure);
  }
  await discardMemory(folder);
  await monitor.execute('cont');
  await forgetMemory(monitor, devices);
}

/** Gives up saved memory; its space on the disk is freed at the next suspend. */
export async function discardMemory(folder: GuestFolder): Promise<void> {
  if (!(await isSuspended(folder))) return;
  await rm(folder.suspended, { force: true });
  await sync(folder.path);
}

async function forgetMemory(monitor: QmpConnection, devices: string[]): Promise<void> {
  // The snapshot may be absent.
  await runJob(monitor, 'snapshot-delete', { tag: TAG, devices });
}

interface BlockNode {
  readonly 'node-name': string;
  readonly drv: string;
  readonly ro: boolean;
}

/** QEMU saves memory only with all that the guest may write, each a qcow2 layer. */
async function writableNodes(monitor: QmpConnection): Promise<string[]> {
  const nodes = (await monitor.execute('query-named-block-nodes', { flat: true })) as BlockNode[];
  return nodes.filter(({ drv, ro }) => drv === 'qcow2' && !ro).map((node) => node['node-name']);
}

function notSaved(failure: string): HypervisorError {
  const full = failure.includes('No space left');
  return new HypervisorError(
    full ? 'capacity' : 'not-ready',
    full ? "The host has no room left for the server's memory." : 'The server cannot be suspended.',
    failure,
  );
}

/** Milliseconds for a job that writes a guest's memory to its disk. */
const JOB_TIMEOUT_MS = 240_000;
const JOB_ID = 'cumulet';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
}

/**
 * Runs a job of QEMU's to its end ("QEMU QMP Reference Manual", Background jobs).
 * @returns why it failed, or undefined. Throws `transient` if it does not end in time.
 */
async function runJob(
  monitor: QmpConnection,
  command: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  // A job whose caller has died.
  await ended(monitor);
  await monitor.execute(command, { ...args, 'job-id': JOB_ID });
  return (await ended(monitor))?.error;
}

/** Waits for the job, if there is one, and dismisses it. */
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
