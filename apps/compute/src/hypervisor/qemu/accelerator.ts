/**
 * Whether guests run on the processor itself (KVM) or are translated (TCG). `/dev/kvm` alone proves
 * nothing: on hosts that are guests themselves it may open and then hang. KVM is used only if the
 * processor's flags name its virtualisation (`vmx` Intel, `svm` AMD).
 */
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';

export interface Accelerator {
  readonly name: 'kvm' | 'tcg';
  /** One sentence for the start-up lines. */
  readonly why: string;
}

/** @param wanted `auto`, or `tcg` if KVM must not be used whatever the host says */
export async function findAccelerator(wanted: 'auto' | 'tcg'): Promise<Accelerator> {
  if (wanted === 'tcg') return { name: 'tcg', why: 'the settings ask for TCG' };
  return judgeAccelerator(await readOrEmpty('/proc/cpuinfo'), await canOpen('/dev/kvm'));
}

/**
 * @param cpuinfo the text of `/proc/cpuinfo`
 * @param kvmOpens whether this user may read and write `/dev/kvm`
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
