/**
 * Whether guests run on the processor itself (KVM) or are translated (TCG). `/dev/kvm` alone proves
 * nothing: on hosts that are guests themselves it may open and then hang. KVM is used only if the
 * processor's flags name its virtualisation (`vmx` Intel, `svm` AMD).
 */
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import type { Account } from '@cumulet/common/programs/own-users';

export interface Accelerator {
  readonly name: 'kvm' | 'tcg';
  /** One sentence for the start-up lines. */
  readonly why: string;
  /** The group that guests need for it, where they run as another user than this process. */
  readonly group?: number;
}

const KVM = '/dev/kvm';

/**
 * @param wanted `auto`, or `tcg` if KVM must not be used whatever the host says
 * @param account whom guests run as; undefined: as this process
 */
export async function findAccelerator(
  wanted: 'auto' | 'tcg',
  account: Account | undefined,
): Promise<Accelerator> {
  if (wanted === 'tcg') return { name: 'tcg', why: 'the settings ask for TCG' };
  const cpuinfo = await readOrEmpty('/proc/cpuinfo');
  if (account === undefined) return judgeAccelerator(cpuinfo, await canOpen(KVM));
  const device = await stat(KVM).catch(() => undefined);
  const group = device && groupThatOpens(device, account);
  const found = judgeAccelerator(cpuinfo, group !== undefined);
  return found.name === 'kvm' && group !== undefined ? { ...found, group } : found;
}

/**
 * The group in which a user may read and write a device: its own, if everybody or it may; else the
 * device's, unless that is root's; undefined if there is none.
 */
export function groupThatOpens(
  device: { readonly mode: number; readonly uid: number; readonly gid: number },
  account: Account,
): number | undefined {
  const may = (shift: number): boolean => ((device.mode >> shift) & 0o6) === 0o6;
  // The kernel asks for the rights of the first that applies: the owner, the group, the others.
  if (device.uid === account.uid) return may(6) ? account.gid : undefined;
  if (device.gid === account.gid) return may(3) ? account.gid : undefined;
  if (may(0)) return account.gid;
  return may(3) && device.gid !== 0 ? device.gid : undefined;
}

/**
 * @param cpuinfo the text of `/proc/cpuinfo`
 * @param kvmOpens whether the user that guests run as may read and write `/dev/kvm`
 */
export function judgeAccelerator(cpuinfo: string, kvmOpens: boolean): Accelerator {
  const flags = /^flags\s*:(.*)$/m.exec(cpuinfo)?.[1]?.trim().split(/\s+/) ?? [];
  const flag = flags.find((name) => name === 'vmx' || name === 'svm');
  if (flag === undefined) {
    return { name: 'tcg', why: 'the CPU flags hold neither vmx nor svm' };
  }
  if (!kvmOpens) return { name: 'tcg', why: `the CPU has ${flag}, but /dev/kvm cannot be opened` };
  return { name: 'kvm', why: `the CPU has ${flag} and /dev/kvm opens` };
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}

async function canOpen(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
