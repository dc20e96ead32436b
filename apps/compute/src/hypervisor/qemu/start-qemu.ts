/**
 * Starts a guest's QEMU in its own session, so that it survives a restart or kill of compute. QEMU
 * locks its pid file while it lives, which prevents a second one.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PROGRAM_ENVIRONMENT } from '@cumulet/common/programs/run-program';
import { HypervisorError, errorCode } from '../hypervisor-error.js';
import { waitUntil } from '../wait-until.js';
import type { GuestFolder } from './guest-folder.js';
import { connectOnce } from './guest-monitor.js';
import { readPidFile } from './guest-process.js';
import { qemuStartFailure } from './qemu-start-failure.js';

const START_TIMEOUT_MS = 30_000;
const GREETING_TIMEOUT_MS = 5_000;
const MAX_STDERR_CHARACTERS = 16 * 1024;

/**
 * Returns once QEMU answers on its monitor.
 *
 * @param program the absolute path of QEMU
 * Throws `missing-program`; `transient` if it does not answer in time; the error that
 * `qemuStartFailure` derives from its output if it ends.
 */
export async function startQemu(
  program: string,
  args: readonly string[],
  folder: GuestFolder,
): Promise<void> {
  const child = spawn(program, args, {
    cwd: folder.path,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: PROGRAM_ENVIRONMENT,
  });
  let stderr = '';
  let failure: Error | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
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

  const settled = await waitUntil(
    async () => failure !== undefined || (await isUp(folder, child.pid)),
    START_TIMEOUT_MS,
  );
  // From here on nobody reads QEMU's stderr: QEMU ignores that it is closed.
  child.stderr.destroy();
  child.unref();
  if (failure !== undefined) throw failure;
  if (!settled) {
    child.kill('SIGKILL');
    throw new HypervisorError('transient', 'QEMU did not come up in time.', stderr);
  }
}

/**
 * Whether this very process answers. Until it has locked and written the pid file, another one may
 * be answering, and this one about to find that it is too late.
 */
async function isUp(folder: GuestFolder, pid: number | undefined): Promise<boolean> {
  if ((await readPidFile(folder.pidFile)) !== pid) return false;
  try {
    (await connectOnce(folder, GREETING_TIMEOUT_MS)).close();
    return true;
  } catch {
    return false;
  }
}
