/** What a guest's machine has used, by its monitor and the kernel. */
import type { DiskCounters, GuestDiagnostics } from '../ports/guest-diagnostics.js';
import { cardsOf, nicCounters, processFigures } from './process-figures.js';
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

/** What the monitor alone knows. */
export interface MonitorFigures {
  readonly cpus: readonly Cpu[];
  readonly blocks: readonly BlockStats[];
}

/** "QEMU QMP Reference Manual": query-cpus-fast, query-blockstats. */
export async function monitorFigures(monitor: QmpConnection): Promise<MonitorFigures> {
  const cpus = (await monitor.execute('query-cpus-fast')) as readonly Cpu[];
  const blocks = (await monitor.execute('query-blockstats')) as readonly BlockStats[];
  return { cpus, blocks };
}

export async function diagnosticsOf(
  pid: number,
  { cpus, blocks }: MonitorFigures,
): Promise<GuestDiagnostics> {
  const threads = cpus.map((cpu) => cpu['thread-id']);
  const { uptimeSeconds, residentKb, threadTimes, args } = await processFigures(pid, threads);
  return {
    uptimeSeconds,
    cpus: cpus.map((cpu, at) => ({ id: cpu['cpu-index'], time: threadTimes[at] ?? 0 })),
    memoryUsedKb: residentKb,
    disks: blocks.map(diskCounters),
    nics: await Promise.all(cardsOf(args).map(nicCounters)),
  };
}

/** Disks are listed in the order in which the guest was given them. */
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
