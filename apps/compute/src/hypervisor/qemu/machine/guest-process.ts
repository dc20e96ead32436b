/**
 * Finds and ends the QEMU process of a guest. The command line identifies it: a process is the
 * guest's only if it was started with the guest's id and folder. So a reused process number is
 * never mistaken for it. (The working directory would say as much, but in a container not even root
 * may read that of another user's process.)
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isGuestId } from '../../ports/guest-spec.js';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import { waitUntil } from '../../wait-until.js';
import { guestFolder, type GuestFolder } from '../guest-folder.js';
import { machineName } from './qemu-arguments.js';
import { readHead } from '../../image-header.js';

const KILL_TIMEOUT_MS = 10_000;
const MAX_PID_BYTES = 32;

/** The process that runs this guest, or undefined. */
export async function findGuestProcess(folder: GuestFolder): Promise<number | undefined> {
  const written = await readPidFile(folder.pidFile);
  if (written !== undefined && (await runsGuest(written, folder))) return written;
  // The pid file may be lost or stale while the machine still runs.
  const all = await findGuestProcesses(dirname(folder.path));
  return all.get(folder.guestId);
}

/** Guest id → process, for all guests under this folder. */
export async function findGuestProcesses(guestsFolder: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const args = await commandLine(Number(name));
    const id = optionValue(args, '-uuid');
    if (id === undefined || !isGuestId(id)) continue;
    if (isOfGuest(args, guestFolder(guestsFolder, id))) found.set(id, Number(name));
  }
  return found;
}

/** Waits for a process of the guest to end by itself. @returns whether it did */
export function waitForExit(folder: GuestFolder, pid: number, timeoutMs: number): Promise<boolean> {
  return waitUntil(async () => !(await runsGuest(pid, folder)), timeoutMs, 10);
}

/** Ends a process of the guest and waits until it is gone. Never touches another program's. */
export async function killProcess(folder: GuestFolder, pid: number): Promise<void> {
  if (!(await runsGuest(pid, folder))) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
  if (await waitForExit(folder, pid, KILL_TIMEOUT_MS)) return;
  throw new HypervisorError('transient', 'The machine of the server does not end.');
}

async function runsGuest(pid: number, folder: GuestFolder): Promise<boolean> {
  return isOfGuest(await commandLine(pid), folder);
}

/** Earlier versions named the folder by the pid file alone. */
function isOfGuest(args: readonly string[], folder: GuestFolder): boolean {
  return (
    optionValue(args, '-uuid') === folder.guestId &&
    (optionValue(args, '-name') === machineName(folder) ||
      optionValue(args, '-pidfile') === folder.pidFile)
  );
}

/** Empty for a process that is gone, is a zombie, or is not ours to see. */
async function commandLine(pid: number): Promise<string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  } catch {
    return [];
  }
}

function optionValue(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at === -1 ? undefined : args[at + 1];
}

/** The number in a pid file, or undefined if there is none. */
async function readPidFile(path: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt((await readHead(path, MAX_PID_BYTES)).toString(), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
