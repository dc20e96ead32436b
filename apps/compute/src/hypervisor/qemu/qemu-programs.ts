/** Finds the QEMU driver's programs and queries their features. */
import { isAbsolute } from 'node:path';
import { findProgram } from '@cumulet/common/programs/find-program';
import type { Account } from '@cumulet/common/programs/own-users';
import { SANDBOX } from './machine/qemu-arguments.js';
import { findUefiFirmware, type UefiFirmware } from './machine/uefi-firmware.js';
import { runProgram } from './run-program.js';
import type { Accelerator } from './machine/accelerator.js';
import type { GuestCgroups } from './machine/guest-cgroups.js';
import type { GuestUsers } from './guest-users.js';

export interface QemuPrograms {
  readonly qemu: string;
  readonly qemuImg: string;
  readonly flock: string;
  /** Limits qemu-img, if it is installed. */
  readonly prlimit: string | undefined;
  /** `7.2.22` */
  readonly version: string;
  /** Whether QEMU's seccomp sandbox works here. */
  readonly sandbox: boolean;
  /** Makes file systems; without it, no local disk has one. */
  readonly mke2fs?: string | undefined;
  readonly uefi?: UefiFirmware | undefined;
}

/** Guests are x86_64 machines; on other processors TCG translates for them. */
const QEMU = 'qemu-system-x86_64';
const QEMU_IMG = 'qemu-img';
const FLOCK = 'flock';
const PROBE_TIMEOUT_MS = 20_000;

/**
 * @param searchPath as in `PATH`
 * @param account that QEMU will run as; undefined: this process's
 * @returns the programs, or a sentence that says what is missing
 */
export async function findQemuPrograms(
  searchPath: string,
  account: Account | undefined,
): Promise<QemuPrograms | string> {
  if (process.platform !== 'linux') {
    return `real guests need Linux; this is ${process.platform}`;
  }
  const qemu = await findProgram(QEMU, searchPath);
  const qemuImg = await findProgram(QEMU_IMG, searchPath);
  if (qemu === undefined || qemuImg === undefined) {
    const missing = [qemu ?? QEMU, qemuImg ?? QEMU_IMG].filter((name) => !isAbsolute(name));
    return `${missing.join(' and ')} not found on PATH (Debian, Ubuntu: apt-get install qemu-system-x86 qemu-utils)`;
  }
  const flock = await findProgram(FLOCK, searchPath);
  if (flock === undefined) return `${FLOCK} not found on PATH (package util-linux)`;
  const version = await askVersion(qemu, account);
  if (version === undefined) return `${qemu} does not run${asWhom(account)}`;
  const sandbox = await trySandbox(qemu, account);
  const prlimit = await findProgram('prlimit', searchPath);
  // Not every user's path has the administrators' programs.
  const mke2fs = await findProgram('mke2fs', `${searchPath}:/usr/sbin:/sbin`);
  const uefi = await findUefiFirmware();
  return { qemu, qemuImg, flock, prlimit, version, sandbox, mke2fs, uefi };
}

function asWhom(account: Account | undefined): string {
  return account === undefined ? '' : ` as the user ${account.uid}`;
}

async function askVersion(qemu: string, account: Account | undefined): Promise<string | undefined> {
  const options = { timeoutMs: PROBE_TIMEOUT_MS, account };
  const { stdout } = await runProgram(qemu, ['--version'], options).catch(nothing);
  return /version (\d+\.\d+(?:\.\d+)?)/.exec(stdout.toString())?.[1];
}

/** The output of a program that the user cannot run. */
function nothing(): { stdout: string } {
  return { stdout: '' };
}

/** Starts and ends a QEMU without a machine, in the sandbox. */
async function trySandbox(qemu: string, account: Account | undefined): Promise<boolean> {
  const args = ['-machine', 'none', '-nodefaults', '-display', 'none', ...SANDBOX];
  const { exitCode } = await runProgram(qemu, [...args, '-qmp', 'stdio'], {
    timeoutMs: PROBE_TIMEOUT_MS,
    account,
    input: '{"execute":"qmp_capabilities"}\n{"execute":"quit"}\n',
  });
  return exitCode === 0;
}

export interface QemuHypervisorOptions {
  readonly programs: QemuPrograms;
  readonly accelerator: Accelerator;
  readonly users: GuestUsers;
  /** Undefined if guests are not limited. */
  readonly cgroups?: GuestCgroups | undefined;
  readonly dataDir: string;
  readonly consoleBytes: number;
  /** 10 seconds by default. */
  readonly answerTimeoutMs?: number;
}
