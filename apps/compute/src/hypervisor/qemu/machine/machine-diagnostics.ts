/** Statistics of a guest's machine, from its monitor and the kernel. */
import { readFile } from 'node:fs/promises';
import type {
  DiskCounters,
  GuestDiagnostics,
  NicCounters,
  PacketCounters,
} from '../../ports/guest-diagnostics.js';
import { errorCode } from '../../hypervisor-error.js';
import type { QmpConnection } from './qmp-connection.js';

interface Cpu {
  readonly 'cpu-index': number;
  readonly 'thread-id': number;
}

interface BlockStats {
  readonly stats: {
    readonly rd_bytes: number;
    readonly rd_operations: number;
    readonly wr_bytes: number;
    readonly wr_operations: number;
    readonly failed_rd_operations: number;
    readonly failed_wr_operations: number;
  };
}

/** Known to the monitor alone. */
interface MonitorStatistics {
  readonly cpus: readonly Cpu[];
  readonly blocks: readonly BlockStats[];
}

/** "QEMU QMP Reference Manual": query-cpus-fast, query-blockstats. */
export async function monitorStatistics(monitor: QmpConnection): Promise<MonitorStatistics> {
  const cpus = (await monitor.execute('query-cpus-fast')) as readonly Cpu[];
  const blocks = (await monitor.execute('query-blockstats')) as readonly BlockStats[];
  return { cpus, blocks };
}

export async function diagnosticsOf(
  pid: number,
  { cpus, blocks }: MonitorStatistics,
): Promise<GuestDiagnostics> {
  const threads = cpus.map((cpu) => cpu['thread-id']);
  const { uptimeSeconds, residentKb, threadTimes, args } = await processStatistics(pid, threads);
  return {
    uptimeSeconds,
    cpus: cpus.map((cpu, at) => ({ id: cpu['cpu-index'], time: threadTimes[at] ?? 0 })),
    memoryUsedKb: residentKb,
    disks: blocks.map(diskCounters),
    nics: await Promise.all(nicsOf(args).map(nicCounters)),
  };
}

/** In the order in which the guest was given its disks. */
function diskCounters({ stats }: BlockStats, index: number): DiskCounters {
  return {
    device: `vd${String.fromCharCode('a'.charCodeAt(0) + index)}`,
    readBytes: stats.rd_bytes,
    readRequests: stats.rd_operations,
    writeBytes: stats.wr_bytes,
    writeRequests: stats.wr_operations,
    errors: stats.failed_rd_operations + stats.failed_wr_operations,
  };
}

/** The kernel's clock; the same on all of Linux's architectures that QEMU's guests run on. */
const TICKS_PER_SECOND = 100;

/** Field 22 of a stat file ("proc(5)"), counted after the name in brackets. */
const START_TIME_FIELD = 22 - 3;

/** @param stat of the process @param uptime of the machine @returns seconds since the start */
export function secondsSinceStart(stat: string, uptime: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const started = Number(fields[START_TIME_FIELD]) / TICKS_PER_SECOND;
  return Math.max(0, Math.floor(Number.parseFloat(uptime) - started));
}

/** @param schedstat of a thread @returns the nanoseconds that it has run */
export function nanosecondsRun(schedstat: string): number {
  return Number(schedstat.split(' ', 1)[0]);
}

/** @param status of the process @returns what it has in memory, in KiB */
export function residentKb(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
}

export function nicsOf(args: readonly string[]): { macAddress: string; device?: string }[] {
  const backends = new Map(
    valuesOf(args, '-netdev').map((value) => [property(value, 'id'), property(value, 'ifname')]),
  );
  return valuesOf(args, '-device').flatMap((value) => {
    const macAddress = property(value, 'mac');
    if (macAddress === undefined) return [];
    const device = backends.get(property(value, 'netdev'));
    return [{ macAddress, ...(device === undefined ? {} : { device }) }];
  });
}

function valuesOf(args: readonly string[], option: string): string[] {
  return args.flatMap((value, at) => (args[at - 1] === option ? [value] : []));
}

function property(value: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}=([^,]*)`).exec(value)?.[1];
}

async function processStatistics(
  pid: number,
  threads: readonly number[],
): Promise<{ uptimeSeconds: number; residentKb: number; threadTimes: number[]; args: string[] }> {
  const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8');
  const [stat, status, commandLine, uptime] = await Promise.all([
    read('stat'),
    read('status'),
    read('cmdline'),
    readFile('/proc/uptime', 'utf8'),
  ]);
  const threadTimes = await Promise.all(
    threads.map(async (thread) => nanosecondsRun(await read(`task/${thread}/schedstat`))),
  );
  return {
    uptimeSeconds: secondsSinceStart(stat, uptime),
    residentKb: residentKb(status),
    threadTimes,
    args: commandLine.split('\0'),
  };
}

/** The kernel's counters of a device: what it sends, the guest receives. */
async function nicCounters(nic: {
  readonly macAddress: string;
  readonly device?: string;
}): Promise<NicCounters> {
  const { macAddress, device } = nic;
  if (device === undefined) return { macAddress };
  try {
    const [received, sent] = await Promise.all([counted(device, 'tx'), counted(device, 'rx')]);
    return { macAddress, device, received, sent };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return { macAddress, device };
  }
}

async function counted(device: string, direction: 'rx' | 'tx'): Promise<PacketCounters> {
  const read = async (what: string): Promise<number> =>
    Number(await readFile(`/sys/class/net/${device}/statistics/${direction}_${what}`, 'utf8'));
  const [bytes, packets, errors, dropped] = await Promise.all([
    read('bytes'),
    read('packets'),
    read('errors'),
    read('dropped'),
  ]);
  return { bytes, packets, errors, dropped };
}
