/** What the kernel knows of a guest's process ("proc(5)"). The readers are pure. */
import { readFile } from 'node:fs/promises';
import { errorCode } from '../hypervisor-error.js';
import type { NicCounters, PacketCounters } from '../ports/guest-diagnostics.js';

/** Of the kernel's clock; the same on all of Linux's architectures that QEMU's guests run on. */
const TICKS_PER_SECOND = 100;

/** The 22nd field of a stat file, which begins anew after the name in brackets. */
const START_TIME_FIELD = 22 - 3;

/** @param stat of the process @param uptime of the machine @returns seconds since its start */
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

/** The network cards that a QEMU was started with, by its arguments. */
export function cardsOf(args: readonly string[]): { macAddress: string; device?: string }[] {
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

export async function processFigures(
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

/** What the kernel has counted at a device; what it sends, the guest receives. */
export async function nicCounters(card: {
  readonly macAddress: string;
  readonly device?: string;
}): Promise<NicCounters> {
  const { macAddress, device } = card;
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
