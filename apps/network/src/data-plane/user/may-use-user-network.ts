/** Whether the QEMU of this host has a user-mode network. */
import { findProgram } from '@cumulet/common/programs/find-program';
import { runProgram } from '@cumulet/common/programs/run-program';

const QEMU = 'qemu-system-x86_64';
const TIMEOUT_MS = 20_000;

/**
 * @param searchPath folders separated by colons, as in `PATH`
 * @returns why not; undefined if it has
 */
export async function whyNoUserNetwork(searchPath: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'real guests need Linux';
  const qemu = await findProgram(QEMU, searchPath);
  if (qemu === undefined) return `${QEMU} not found on PATH`;
  const args = ['-machine', 'none', '-netdev', 'help'];
  const { stdout } = await runProgram(qemu, args, { timeoutMs: TIMEOUT_MS });
  return /^user$/m.test(stdout.toString()) ? undefined : `${qemu} was built without one`;
}
