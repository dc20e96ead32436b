/**
 * Whether guests run on KVM or are translated (TCG). `/dev/kvm` alone proves nothing: within a
 * guest it may open and then hang. KVM also requires the processor's flag (`vmx` Intel, `svm` AMD).
 */
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import type { Account } from '@cumulet/common/programs/own-users';

export interface Accelerator {
  readonly name: 'kvm' | 'tcg';
  readonly why: string;
  /** The group that guests need for it, if they run as another user. */
  readonly group?: number;
}

const KVM = '/dev/kvm';

/** @param wanted `tcg` forbids KVM @param account of guests; undefined: this process's */
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

/** By which a user opens a device: its own if that suffices, else the device's, but not root's. */
export function groupThatOpens(
  device: { readonly mode: number; readonly uid: number; readonly gid: number },
  account: Account,
): number | undefined {
  const may = (shift: number): boolean => ((device.mode >> shift) & 0o6) === 0o6;
  // The kernel checks the first that applies: the owner, the group, the others.
  if (device.uid === account.uid) return may(6) ? account.gid : undefined;
  if (device.gid === account.gid) return may(3) ? account.gid : undefined;
  if (may(0)) return account.gid;
  return may(3) && device.gid !== 0 ? device.gid : undefined;
}

/** @param cpuinfo the text of `/proc/cpuinfo` @param kvmOpens for the user that guests run as */
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
