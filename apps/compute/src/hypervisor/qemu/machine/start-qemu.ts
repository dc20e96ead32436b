/**
 * Starts a guest's QEMU as the guest's user, in a session of its own, so that it survives compute.
 * It inherits the guest's lock, which prevents a second one.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, writeFile, type FileHandle, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { once } from 'node:events';
import { PROGRAM_ENVIRONMENT } from '@cumulet/common/programs/run-program';
import type { Account } from '@cumulet/common/programs/own-users';
import { asHypervisorError, HypervisorError, errorCode } from '../../hypervisor-error.js';
import { waitUntil } from '../../wait-until.js';
import type { QemuArgument } from '../command-line.js';
import { handOver, type GuestFolder } from '../guest-folder.js';
import { enter } from '../nic/network-namespace.js';
import { connectOnce } from './guest-monitor.js';
import { qemuStartFailure, GuestAlreadyStartedError } from './qemu-start-failure.js';

const START_TIMEOUT_MS = 30_000;
const GREETING_TIMEOUT_MS = 5_000;
const MAX_STDERR_CHARACTERS = 16 * 1024;

export interface StartPrograms {
  readonly qemu: string;
  readonly flock: string;
}

export interface Launch {
  readonly args: readonly QemuArgument[];
  /** Inherited open for reading, from descriptor 3 on. */
  readonly files: readonly string[];
  /** QEMU's user; undefined: this process's. */
  readonly account: Account | undefined;
  /** QEMU's network namespace; undefined: this process's. */
  readonly namespace: string | undefined;
  /** Limits its process. */
  readonly hold?: ((pid: number) => Promise<void>) | undefined;
}

/**
 * Returns once QEMU answers on its monitor. Throws GuestAlreadyStartedError if the guest has a
 * machine; `missing-program`; `transient` if QEMU does not answer in time; the error of
 * `qemuStartFailure` if it ends.
 */
export async function startQemu(
  { qemu, flock }: StartPrograms,
  launch: Launch,
  folder: GuestFolder,
): Promise<void> {
  const lock = await lockGuest(flock, folder);
  const files: FileHandle[] = [];
  try {
    for (const path of launch.files) {
      const file = await open(path, 'r');
      files.push(file);
      if (launch.account !== undefined) await share(file, path, folder, launch.account);
    }
    await handOver(folder, launch.account);
    await launchQemu(qemu, launch, folder, [...files, lock]);
  } finally {
    for (const file of [...files, lock]) await file.close();
  }
}

/** Lets QEMU's user reopen it: the guest's own files become its own, shared images readable. */
async function share(
  file: FileHandle,
  path: string,
  folder: GuestFolder,
  { uid, gid }: Account,
): Promise<void> {
  if (dirname(path) === folder.path) await file.chown(uid, gid);
  else await file.chmod(0o644);
}

/** Only root enters another namespace, by nsenter(1), and then becomes QEMU's user. */
function commandOf(
  program: string,
  { args, account, namespace }: Launch,
): [string, readonly string[], Account | undefined] {
  if (namespace === undefined) return [program, args, account];
  const become = account ? [`--setgid=${account.gid}`, `--setuid=${account.uid}`] : [];
  return ['nsenter', [...enter(namespace), ...become, '--', program, ...args], undefined];
}

async function launchQemu(
  program: string,
  launch: Launch,
  folder: GuestFolder,
  inherited: readonly FileHandle[],
): Promise<void> {
  const [command, args, account] = commandOf(program, launch);
  const child = spawn(command, args, {
    ...account,
    cwd: folder.path,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', ...inherited.map(({ fd }) => fd)],
    env: PROGRAM_ENVIRONMENT,
  });
  let stderr = '';
  let failure: Error | undefined;
  const output = child.stdio[2] as Readable;
  output.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
  });
  child.on('error', (error) => {
    // A missing working directory has the same error code.
    const missing = errorCode(error) === 'ENOENT' && !existsSync(program);
    failure ??= missing
      ? new HypervisorError('missing-program', 'QEMU is not installed on the host.', error)
      : new HypervisorError('transient', 'QEMU could not be started.', error);
  });
  // `close` comes after the last of stderr, `exit` may come before it.
  child.on('close', () => {
    failure ??= qemuStartFailure(stderr);
  });

  // Speeds up the search; without it, the arguments identify the process.
  const written = writeFile(folder.pidFile, `${child.pid ?? ''}\n`, { mode: 0o600 });
  await written.catch(() => undefined);
  if (child.pid !== undefined) {
    await launch.hold?.(child.pid).catch((error: unknown) => {
      failure ??= asHypervisorError(error, 'The server could not be held to its limits');
      child.kill('SIGKILL');
    });
  }
  const settled = await waitUntil(
    async () => failure !== undefined || (await isUp(folder)),
    START_TIMEOUT_MS,
  );
  // Nobody reads QEMU's stderr any more; QEMU ignores that it is closed.
  output.destroy();
  child.unref();
  if (failure !== undefined) throw failure;
  if (!settled) {
    child.kill('SIGKILL');
    throw new HypervisorError('transient', 'QEMU did not come up in time.', stderr);
  }
}

/** No other QEMU answers while it has the lock. */
async function isUp(folder: GuestFolder): Promise<boolean> {
  try {
    (await connectOnce(folder, GREETING_TIMEOUT_MS)).close();
    return true;
  } catch {
    return false;
  }
}

/** The exit code of `flock -n` if another holds the lock. */
const HELD_BY_ANOTHER = 1;

/**
 * Takes the guest's lock without waiting: one start at a time, and one machine. It is an flock(2)
 * on a file that QEMU inherits, and so holds for its whole life. (QEMU's own lock, on a pid file,
 * resolves that file's path from the root, where its user may not pass.) Node has no call for it,
 * so flock(1) locks an inherited descriptor, exits, and leaves the lock with us. Throws
 * GuestAlreadyStartedError if a machine, or another start, holds it.
 * @param flock the path of flock
 * @returns the open file; the lock ends once all processes that have it open have closed it
 */
export async function lockGuest(flock: string, folder: GuestFolder): Promise<FileHandle> {
  const file = await open(folder.lock, 'a', 0o600);
  try {
    const stdio = ['ignore', 'ignore', 'ignore', file.fd] as const;
    const child = spawn(flock, ['-n', '3'], { stdio: [...stdio], env: PROGRAM_ENVIRONMENT });
    const [exitCode] = (await once(child, 'exit').catch(missing)) as [number | null];
    if (exitCode === HELD_BY_ANOTHER) throw new GuestAlreadyStartedError();
    if (exitCode !== 0) {
      throw new HypervisorError('transient', 'The server could not be locked.', exitCode);
    }
    // A lock on a removed file excludes nobody.
    const [locked, named] = await Promise.all([file.stat(), stat(folder.lock)]);
    if (locked.ino !== named.ino) throw new GuestAlreadyStartedError();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function missing(error: unknown): never {
  throw new HypervisorError('missing-program', 'A program of the host is missing.', error);
}
