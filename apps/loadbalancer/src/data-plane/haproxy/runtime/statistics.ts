/**
 * Parses HAProxy's `show stat`. Public source: HAProxy Management Guide, "9.1. CSV format": a line
 * of names, then one for each frontend, backend and server.
 */
import type { BalancerStatistics, MemberHealth, TrafficStatistics } from '../../data-plane.js';

const FRONTEND = '0';
const SERVER = '2';

/** The worst first, for members of several listeners. */
const SEVERITY: readonly MemberHealth[] = ['ERROR', 'OFFLINE', 'DRAINING', 'ONLINE', 'NO_MONITOR'];

export function readStatistics(text: string): BalancerStatistics {
  const rows = readRows(text);
  const listeners = new Map<string, TrafficStatistics>();
  const members = new Map<string, MemberHealth>();
  const checks = new Map<string, string>();
  for (const row of rows) {
    if (row('type') === FRONTEND) listeners.set(row('pxname'), trafficOf(row));
    if (row('type') !== SERVER) continue;
    const id = row('svname');
    const health = worse(members.get(id), healthOf(row));
    // The check's result belongs to the listener whose health is shown.
    if (health !== members.get(id) && row('check_status') !== '') checks.set(id, checkOf(row));
    members.set(id, health);
  }
  return { listeners, members, checks };
}

type Row = (column: string) => string;

function readRows(text: string): Row[] {
  const [names = '', ...lines] = text.split('\n');
  const columns = names.replace(/^# /, '').split(',');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const values = line.split(',');
      return (column) => values[columns.indexOf(column)] ?? '';
    });
}

/** `L7STS (500): Internal error`: HAProxy's code and text for the last check. */
function checkOf(row: Row): string {
  const status = row('check_status').replace(/^\* /, '');
  const code = row('check_code') === '' ? '' : ` (${row('check_code')})`;
  return `${status}${code}: ${row('last_chk') || row('check_desc')}`;
}

function trafficOf(row: Row): TrafficStatistics {
  return {
    bytesIn: Number(row('bin')),
    bytesOut: Number(row('bout')),
    activeConnections: Number(row('scur')),
    totalConnections: Number(row('stot')),
    requestErrors: Number(row('ereq')),
  };
}

function healthOf(row: Row): MemberHealth {
  // `DOWN 1/3` and `MAINT (via …)` have suffixes.
  const [status = ''] = row('status').split(' ');
  if (status === 'MAINT') return 'OFFLINE';
  if (status === 'DOWN' || status === 'NOLB') return 'ERROR';
  if (status === 'DRAIN' || row('weight') === '0') return 'DRAINING';
  return status === 'no' ? 'NO_MONITOR' : 'ONLINE';
}

function worse(one: MemberHealth | undefined, other: MemberHealth): MemberHealth {
  if (one === undefined) return other;
  return SEVERITY.indexOf(one) < SEVERITY.indexOf(other) ? one : other;
}

/** By listener. */
export type Counters = ReadonlyMap<string, TrafficStatistics>;

/**
 * Listeners' counters over reloads. Each HAProxy process starts from zero, so a process's counters
 * are stored, with its process ID, before its successor starts: whichever of the two answers,
 * nothing is counted twice or decreases. Connections that outlive the reload are not counted
 * further.
 */
export interface StoredCounters {
  /** The process that counted `last`, and may still be counting. */
  readonly pid: number;
  /** The counters of those before it. */
  readonly earlier: Counters;
  readonly last: Counters;
}

export const NO_COUNTERS: StoredCounters = { pid: 0, earlier: new Map(), last: new Map() };

const TOTALS = ['bytesIn', 'bytesOut', 'totalConnections', 'requestErrors'] as const;

/** @returns the counters of the processes before this one */
export function countedBefore(pid: number, kept: StoredCounters): Counters {
  if (pid === kept.pid) return kept.earlier;
  const ids = new Set([...kept.earlier.keys(), ...kept.last.keys()]);
  return new Map([...ids].flatMap((id) => sumOf(id, kept.earlier.get(id), kept.last.get(id))));
}

/** @returns the listeners of `now`, each with its former counters */
export function added(before: Counters, now: Counters): Counters {
  return new Map([...now].flatMap(([id, statistics]) => sumOf(id, before.get(id), statistics)));
}

function sumOf(
  id: string,
  one: TrafficStatistics | undefined,
  other: TrafficStatistics | undefined,
): [string, TrafficStatistics][] {
  const last = other ?? one;
  if (!last) return [];
  if (!one || !other) return [[id, last]];
  const totals = TOTALS.map((name) => [name, one[name] + other[name]]);
  return [[id, { ...last, ...(Object.fromEntries(totals) as Partial<TrafficStatistics>) }]];
}

export function writeCounters({ pid, earlier, last }: StoredCounters): string {
  return JSON.stringify({ pid, earlier: [...earlier], last: [...last] });
}

/** @returns none for an invalid file */
export function readCounters(text: string): StoredCounters {
  try {
    const { pid, earlier, last } = JSON.parse(text) as {
      pid: number;
      earlier: [string, TrafficStatistics][];
      last: [string, TrafficStatistics][];
    };
    return { pid, earlier: new Map(earlier), last: new Map(last) };
  } catch {
    return NO_COUNTERS;
  }
}
