/**
 * Work during which a guest's agent holds its file systems still, so that what is on its disk then is
 * consistent for its programs too.
 *
 * Always holds: a mark says that a guest may be frozen from before it is until it no longer is. Whoever
 * goes on after a crash finds it, and thaws the guest.
 */
import { access, rm } from 'node:fs/promises';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { HypervisorError } from '../../hypervisor-error.js';
import { notFrozen } from '../../quiesce.js';
import { waitUntil } from '../../wait-until.js';
import { GuestAgent } from './guest-agent.js';
import type { GuestFolder } from '../guest-folder.js';

/** For how long a frozen guest is asked to go on, before it is given up. */
const THAW_TIMEOUT_MS = 60_000;

/**
 * @param isRequired whether the work is not done in a guest that no agent freezes
 * Throws `not-ready` if the guest cannot be frozen and must be, or cannot be thawed.
 */
export async function whileFrozen<T>(
  folder: GuestFolder,
  isRequired: boolean,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await GuestAgent.with(folder, async (agent) => {
      await writeDurably(folder.frozen, '');
      await agent.freeze();
    }).catch((error: unknown) => {
      if (isRequired) throw notFrozen(error);
    });
    return await work();
  } finally {
    await thawIfFrozen(folder);
  }
}

/** Lets a guest go on that is frozen, or was when a process died. */
export async function thawIfFrozen(
  folder: GuestFolder,
  timeoutMs = THAW_TIMEOUT_MS,
): Promise<void> {
  if (!(await isMarked(folder))) return;
  let failure: unknown;
  const thaw = async (): Promise<boolean> => {
    try {
      await GuestAgent.with(folder, (agent) => agent.thaw());
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  const thawed = await waitUntil(thaw, timeoutMs);
  await forgetFrozen(folder);
  if (thawed) return;
  const message =
    'The agent in the guest does not let its file systems go on: they may stand still until it is rebooted.';
  throw new HypervisorError('not-ready', message, failure);
}

async function isMarked(folder: GuestFolder): Promise<boolean> {
  return access(folder.frozen).then(
    () => true,
    () => false,
  );
}

/** Of a machine that has ended, nothing is frozen. */
export async function forgetFrozen(folder: GuestFolder): Promise<void> {
  await rm(folder.frozen, { force: true });
}
