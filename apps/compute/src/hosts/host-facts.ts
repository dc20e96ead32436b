/** Facts about a host's machine besides its resources. */
import { statfs } from 'node:fs/promises';
import { arch, cpus, loadavg, networkInterfaces, uptime } from 'node:os';

/** Nova API reference, "Show Hypervisor Details": `cpu_info`. */
export interface HostCpu {
  /** As images name it: `x86_64`. */
  readonly arch?: string;
  readonly model?: string;
  readonly vendor?: string;
  readonly features?: readonly string[];
  readonly topology?: {
    readonly sockets: number;
    readonly cores: number;
    readonly threads: number;
  };
}

const GIB = 1024 ** 3;
const LOOPBACK = '127.0.0.1';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** @param cpuInfo the text of `/proc/cpuinfo`; empty where there is none */
export function cpuOf(cpuInfo: string): HostCpu {
  const first = (name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.+)$`, 'm').exec(cpuInfo)?.[1]?.trim();
  const threads = Math.max(1, cpus().length);
  const sockets = new Set(cpuInfo.match(/^physical id\s*:.*$/gm)).size || 1;
  const cores = Number(first('cpu cores') ?? Math.max(1, Math.floor(threads / sockets)));
  return {
    arch: ARCHITECTURES[arch()] ?? arch(),
    model: first('model name') ?? cpus()[0]?.model ?? '',
    vendor: first('vendor_id') ?? '',
    features: (first('flags') ?? first('Features') ?? '').split(' ').filter(Boolean),
    topology: {
      sockets,
      cores,
      threads: Math.max(1, Math.floor(threads / (sockets * cores))),
    },
  };
}

/** The first address by which others may reach it. */
export function hostAddress(interfaces = networkInterfaces()): string {
  const addresses = Object.values(interfaces).flatMap((one) => one ?? []);
  return (
    addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? LOOPBACK
  );
}

/** ` 12:00:00 up 2 days,  3:04,  0 users,  load average: 0.10, 0.20, 0.30` */
export function uptimeText(
  now = new Date(),
  seconds = uptime(),
  load: readonly number[] = loadavg(),
): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, '0');
  const up = `${days > 0 ? `${days} ${days === 1 ? 'day' : 'days'}, ` : ''}${String(hours).padStart(2)}:${minutes}`;
  const averages = load.map((one) => one.toFixed(2)).join(', ');
  return ` ${now.toISOString().slice(11, 19)} up ${up},  0 users,  load average: ${averages}`;
}

/** GiB free in the file system of a folder; 0 if the folder does not exist. */
export async function freeGb(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return Math.floor((bavail * bsize) / GIB);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return 0;
    throw error;
  }
}
