/**
 * Work while a guest's agent freezes its file systems, so that its disk is consistent for its
 * programs, too.
 *
 * Always holds: a mark exists from before a freeze until after the thaw, so that the next process
 * after a crash thaws the guest.
 */
import { access, rm } from 'node:fs/promises';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { HypervisorError } from '../../hypervisor-error.js';
import { notFrozen } from '../../quiesce.js';
import { waitUntil } from '../../wait-until.js';
import { GuestAgent } from './guest-agent.js';
import type { GuestFolder } from '../guest-folder.js';

/** Milliseconds of retries, before the guest is given up. */
const THAW_TIMEOUT_MS = 60_000;

/** Throws `not-ready` if the guest must be frozen and cannot be, or cannot be thawed. */
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

/** Thaws a guest that is frozen, or was when a process died. */
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

/** A machine that has ended is not frozen. */
export async function forgetFrozen(folder: GuestFolder): Promise<void> {
  await rm(folder.frozen, { force: true });
}
