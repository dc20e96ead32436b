/**
 * Finds and ends a guest's QEMU process by its command line, which has the guest's ID and folder: a
 * reused process ID is never mistaken for it. (The working directory would do, but in a container
 * not even root may read that of another user's process.)
 */
import { dirname } from 'node:path';
import { commandLineOf, commandLines } from '@cumulet/common/programs/command-lines';
import { isGuestId } from '../../ports/guest-spec.js';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import { waitUntil } from '../../wait-until.js';
import { guestFolder, type GuestFolder } from '../guest-folder.js';
import { machineName } from './qemu-arguments.js';
import { readHead } from '../../image-header.js';

const KILL_TIMEOUT_MS = 10_000;
const MAX_PID_BYTES = 32;

export async function findGuestProcess(folder: GuestFolder): Promise<number | undefined> {
  const written = await readPidFile(folder.pidFile);
  if (written !== undefined && runsGuest(written, folder)) return written;
  // The pid file may be missing or stale while the machine runs.
  return findGuestProcesses(dirname(folder.path)).get(folder.guestId);
}

/** By guest ID. */
export function findGuestProcesses(guestsFolder: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [pid, args] of commandLines()) {
    const id = optionValue(args, '-uuid');
    if (id === undefined || !isGuestId(id)) continue;
    if (isOfGuest(args, guestFolder(guestsFolder, id))) found.set(id, pid);
  }
  return found;
}

/** @returns whether the process ended by itself in time */
export function waitForExit(folder: GuestFolder, pid: number, timeoutMs: number): Promise<boolean> {
  return waitUntil(() => Promise.resolve(!runsGuest(pid, folder)), timeoutMs, 10);
}

/** Waits until it is gone. Never ends another program's process. */
export async function killProcess(folder: GuestFolder, pid: number): Promise<void> {
  if (!runsGuest(pid, folder)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
  if (await waitForExit(folder, pid, KILL_TIMEOUT_MS)) return;
  throw new HypervisorError('transient', 'The machine of the server does not end.');
}

/** A process that is gone, a zombie or not ours to see runs none. */
function runsGuest(pid: number, folder: GuestFolder): boolean {
  return isOfGuest(commandLineOf(pid) ?? [], folder);
}

/** Earlier versions named the folder by the pid file alone. */
function isOfGuest(args: readonly string[], folder: GuestFolder): boolean {
  return (
    optionValue(args, '-uuid') === folder.guestId &&
    (optionValue(args, '-name') === machineName(folder) ||
      optionValue(args, '-pidfile') === folder.pidFile)
  );
}

function optionValue(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at === -1 ? undefined : args[at + 1];
}

async function readPidFile(path: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt((await readHead(path, MAX_PID_BYTES)).toString(), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
