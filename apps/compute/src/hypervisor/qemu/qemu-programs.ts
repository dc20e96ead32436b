/** Finds the QEMU driver's programs and queries their features. */
import { isAbsolute } from 'node:path';
import { findProgram } from '@cumulet/common/programs/find-program';
import { SANDBOX } from './qemu-arguments.js';
import { runProgram } from './run-program.js';

export interface QemuPrograms {
  readonly qemu: string;
  readonly qemuImg: string;
  /** Limits qemu-img; if it is not installed, qemu-img runs without limits. */
  readonly prlimit: string | undefined;
  /** `7.2.22` */
  readonly version: string;
  /** Whether QEMU's seccomp sandbox works here. */
  readonly sandbox: boolean;
}

/** Guests are x86_64 machines; on other processors TCG translates for them. */
const QEMU = 'qemu-system-x86_64';
const QEMU_IMG = 'qemu-img';
const PROBE_TIMEOUT_MS = 20_000;

/**
 * @param searchPath directories separated by colons, as in `PATH`
 * @returns the programs, or one sentence that says what is missing
 */
export async function findQemuPrograms(searchPath: string): Promise<QemuPrograms | string> {
  if (process.platform !== 'linux') {
    return `real guests need Linux; this is ${process.platform}`;
  }
  const qemu = await findProgram(QEMU, searchPath);
  const qemuImg = await findProgram(QEMU_IMG, searchPath);
  if (qemu === undefined || qemuImg === undefined) {
    const missing = [qemu ?? QEMU, qemuImg ?? QEMU_IMG].filter((name) => !isAbsolute(name));
    return `${missing.join(' and ')} not found on PATH (Debian, Ubuntu: apt-get install qemu-system-x86 qemu-utils)`;
  }
  const version = await askVersion(qemu);
  if (version === undefined) return `${qemu} does not run`;
  const sandbox = await trySandbox(qemu);
  return { qemu, qemuImg, prlimit: await findProgram('prlimit', searchPath), version, sandbox };
}

async function askVersion(qemu: string): Promise<string | undefined> {
  const { stdout } = await runProgram(qemu, ['--version'], { timeoutMs: PROBE_TIMEOUT_MS });
  return /version (\d+\.\d+(?:\.\d+)?)/.exec(stdout.toString())?.[1];
}

/** Starts a QEMU without a machine in the sandbox, and lets it end at once. */
async function trySandbox(qemu: string): Promise<boolean> {
  const args = ['-machine', 'none', '-nodefaults', '-display', 'none', '-sandbox', SANDBOX];
  const { exitCode } = await runProgram(qemu, [...args, '-qmp', 'stdio'], {
    timeoutMs: PROBE_TIMEOUT_MS,
    input: '{"execute":"qmp_capabilities"}\n{"execute":"quit"}\n',
  });
  return exitCode === 0;
}
