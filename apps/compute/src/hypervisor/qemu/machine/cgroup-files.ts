/**
 * A guest's limits as the kernel's control groups take them. Pure. Public sources: Linux, "Control
 * Group v2" and "CFS Bandwidth Control", "Memory Resource Controller" of v1.
 */
import { join } from 'node:path';
import type { CpuLimits } from '../../ports/guest-hardware.js';

export interface CgroupLimits extends CpuLimits {
  readonly vcpus: number;
  /** The guest's own. */
  readonly memoryMb: number;
}

export const CONTROLLERS = ['cpu', 'memory'] as const;
export type Controller = (typeof CONTROLLERS)[number];

type CgroupFile = readonly [Controller, file: string, value: string];

/**
 * MiB that QEMU needs beside the guest's memory, for translated code, the screen and buffers; and a
 * sixteenth of that memory for the tables that describe it.
 */
const OVERHEAD_MB = 512;
const MIB = 1024 ** 2;

/** v1's default, which is v2's 100. */
const STANDARD_SHARES = 1024;
const [MIN_SHARES, MAX_SHARES] = [2, 262_144];
const [MIN_WEIGHT, MAX_WEIGHT] = [1, 10_000];
const STANDARD_PERIOD_US = 100_000;

function memoryBytes({ memoryMb }: CgroupLimits): string {
  return String((memoryMb + Math.ceil(memoryMb / 16) + OVERHEAD_MB) * MIB);
}

/** As in libvirt, the quota is that of a vCPU; here all of them share the sum. */
function quotaOf({ quotaUs, vcpus }: CgroupLimits): number | undefined {
  return quotaUs === undefined ? undefined : quotaUs * vcpus;
}

/** Writes absent limits, too: an earlier start of the guest may have set them. */
export function filesOfV2(limits: CgroupLimits): CgroupFile[] {
  const { shares = STANDARD_SHARES, periodUs = STANDARD_PERIOD_US } = limits;
  const weight = Math.round((shares * 100) / STANDARD_SHARES);
  return [
    ['cpu', 'cpu.weight', String(within(weight, MIN_WEIGHT, MAX_WEIGHT))],
    ['cpu', 'cpu.max', `${quotaOf(limits) ?? 'max'} ${periodUs}`],
    ['memory', 'memory.max', memoryBytes(limits)],
  ];
}

export function filesOfV1(limits: CgroupLimits): CgroupFile[] {
  const { shares = STANDARD_SHARES, periodUs = STANDARD_PERIOD_US } = limits;
  return [
    ['cpu', 'cpu.shares', String(within(shares, MIN_SHARES, MAX_SHARES))],
    // Lifted first: the earlier quota may not fit the new period.
    ['cpu', 'cpu.cfs_quota_us', '-1'],
    ['cpu', 'cpu.cfs_period_us', String(periodUs)],
    ['cpu', 'cpu.cfs_quota_us', String(quotaOf(limits) ?? -1)],
    ['memory', 'memory.limit_in_bytes', memoryBytes(limits)],
  ];
}

function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Finds a process's control groups ("cgroups(7)", "proc(5)"). Pure. */

interface Mount {
  readonly root: string;
  readonly path: string;
  readonly type: string;
  readonly options: readonly string[];
}

interface CgroupFacts {
  /** The texts of `/proc/self/mountinfo` and `/proc/<pid>/cgroup`. */
  readonly mountinfo: string;
  readonly cgroup: string;
}

/** v2's hierarchy, and the process's folder in it. */
export function v2Of(facts: CgroupFacts): { mount: string; own: string } | undefined {
  const mount = mountsOf(facts.mountinfo).find(({ type }) => type === 'cgroup2');
  const path = pathOf(facts.cgroup, '');
  if (mount === undefined || path === undefined) return undefined;
  return { mount: mount.path, own: folderOf(mount, path) };
}

/** The process's folder for each controller of v1; undefined unless it has both. */
export function v1Of(facts: CgroupFacts): Readonly<Record<Controller, string>> | undefined {
  const mounts = mountsOf(facts.mountinfo).filter(({ type }) => type === 'cgroup');
  const [cpu, memory] = CONTROLLERS.map((controller) => {
    const mount = mounts.find(({ options }) => options.includes(controller));
    const path = pathOf(facts.cgroup, controller);
    return mount && path !== undefined ? folderOf(mount, path) : undefined;
  });
  return cpu === undefined || memory === undefined ? undefined : { cpu, memory };
}

/** In a container, the mount's root is the container's own. */
function folderOf({ root, path: mount }: Mount, path: string): string {
  const inside = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
  return join(mount, inside === '/' ? '' : inside);
}

/** `4:cpu,cpuacct:/a/b`, and of v2 `0::/a/b`. */
function pathOf(cgroup: string, controller: string): string | undefined {
  for (const line of cgroup.split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (names?.split(',').includes(controller)) return path;
  }
  return undefined;
}

/** `36 35 98:0 /root /mount/point rw,noatime shared:1 - type source options` */
function mountsOf(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root, path] = before.split(' ');
    const [type, , options] = after.split(' ');
    if (root === undefined || path === undefined || type === undefined) return [];
    return [{ root, path, type, options: options?.split(',') ?? [] }];
  });
}
