import { HypervisorError } from '../hypervisor-error.js';
import { runProgram } from './run-program.js';

const TIMEOUT_MS = 60_000;

/**
 * Makes a qcow2 of a raw file of our own. All that a guest writes is one: QEMU saves the memory of no
 * machine with a disk of another format.
 */
export async function toQcow2(qemuImg: string, raw: string, path: string): Promise<void> {
  const args = ['convert', '-f', 'raw', '-O', 'qcow2', raw, path];
  const { exitCode, stderr } = await runProgram(qemuImg, args, { timeoutMs: TIMEOUT_MS });
  if (exitCode === 0) return;
  const full = stderr.includes('No space left');
  throw new HypervisorError(
    full ? 'capacity' : 'transient',
    full ? 'The host has no room left for the disk.' : 'The disk could not be made.',
    stderr,
  );
}
