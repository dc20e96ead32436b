/**
 * Starts a guest's QEMU in its own session, so that it survives a restart or kill of compute, and as
 * the user that guests run as. It inherits the guest's lock, which prevents a second one.
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

/** The paths of the programs that start a guest. */
export interface StartPrograms {
  readonly qemu: string;
  readonly flock: string;
}

/** What a guest's QEMU is started with. */
export interface Launch {
  readonly args: readonly QemuArgument[];
  /** The files that it inherits open for reading, from descriptor 3 on. */
  readonly files: readonly string[];
  /** Whom it runs as; undefined: as this process. */
  readonly account: Account | undefined;
  /** The network namespace that it runs in; undefined for that of this process. */
  readonly namespace: string | undefined;
  /** Holds its process to its limits. */
  readonly hold?: ((pid: number) => Promise<void>) | undefined;
}

/**
 * Returns once QEMU answers on its monitor.
 *
 * Throws GuestAlreadyStartedError if the guest has a machine; `missing-program`; `transient` if QEMU
 * does not answer in time; the error that `qemuStartFailure` derives from its output if it ends.
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

/**
 * Lets QEMU's user open it anew. What is the guest's alone becomes its own. An image, which guests
 * share, may be read by whoever gets past the folder of them all.
 */
async function share(
  file: FileHandle,
  path: string,
  folder: GuestFolder,
  { uid, gid }: Account,
): Promise<void> {
  if (dirname(path) === folder.path) await file.chown(uid, gid);
  else await file.chmod(0o644);
}

/** Into another namespace only root goes, which then becomes QEMU's user: by nsenter(1), in place. */
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
    // A missing working directory has the same error code, but a different cause.
    const missing = errorCode(error) === 'ENOENT' && !existsSync(program);
    failure ??= missing
      ? new HypervisorError('missing-program', 'QEMU is not installed on the host.', error)
      : new HypervisorError('transient', 'QEMU could not be started.', error);
  });
  // `close` comes after the last of stderr, `exit` may come before it.
  child.on('close', () => {
    failure ??= qemuStartFailure(stderr);
  });

  // Found more quickly by it; without it, by its arguments.
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
  // From here on nobody reads QEMU's stderr: QEMU ignores that it is closed.
  output.destroy();
  child.unref();
  if (failure !== undefined) throw failure;
  if (!settled) {
    child.kill('SIGKILL');
    throw new HypervisorError('transient', 'QEMU did not come up in time.', stderr);
  }
}

/** Whether it answers: nobody else does while it has the lock. */
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
 * Takes the guest's lock without waiting: one start of a guest at a time, and one machine. It is an
 * flock(2) on a file in its folder, which QEMU inherits and so holds for its whole life, however that
 * ends. QEMU's own lock, on a pid file, is no use here: it resolves that file's path from the root, where
 * its user may not pass.
 *
 * Node has no call for flock. The lock belongs to the open file, so the program flock(1) takes it
 * on an inherited descriptor, exits, and leaves it with us.
 *
 * @param flock the path of flock
 * @returns the open file; the lock ends once all processes that have it open have closed it
 * Throws GuestAlreadyStartedError if a machine, or another start, holds it.
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
    // A lock on a file that was removed meanwhile excludes nobody.
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
