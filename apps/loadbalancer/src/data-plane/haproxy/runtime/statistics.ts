/**
 * HAProxy's `show stat`, read. Public source: HAProxy Management Guide, "9.1. CSV format": a line of
 * names, then one for each frontend, backend and server.
 */
import type { BalancerStatistics, MemberHealth, TrafficStatistics } from '../../data-plane.js';

const FRONTEND = '0';
const SERVER = '2';

/** The worst first: what several listeners see of one member. */
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
    // Of what several listeners see, the words are those of the one whose health is told.
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

/** `L7STS (500): Internal error`: HAProxy's short name of what came of the last check, and why. */
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
  // `DOWN 1/3` and `MAINT (via …)` are what they begin with.
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
 * What listeners have counted, over reloads. HAProxy begins anew with each process, so what a process
 * had counted is written down before its successor begins, with whose it was: whichever of the two is
 * asked then, nothing is counted twice, nor seems to go back. What connections of an earlier process
 * still count after the reload is not in it.
 */
export interface KeptCounters {
  /** The process that had counted `last`, and may still count on. */
  readonly pid: number;
  /** What those before it counted. */
  readonly earlier: Counters;
  readonly last: Counters;
}

export const NO_COUNTERS: KeptCounters = { pid: 0, earlier: new Map(), last: new Map() };

const TOTALS = ['bytesIn', 'bytesOut', 'totalConnections', 'requestErrors'] as const;

/** @returns what the processes before this one counted */
export function countedBefore(pid: number, kept: KeptCounters): Counters {
  if (pid === kept.pid) return kept.earlier;
  const ids = new Set([...kept.earlier.keys(), ...kept.last.keys()]);
  return new Map([...ids].flatMap((id) => sumOf(id, kept.earlier.get(id), kept.last.get(id))));
}

/** @returns the listeners of `now`, each with what it counted before */
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

export function writeCounters({ pid, earlier, last }: KeptCounters): string {
  return JSON.stringify({ pid, earlier: [...earlier], last: [...last] });
}

/** @returns none for what is no such file */
export function readCounters(text: string): KeptCounters {
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
