/**
 * What listeners have counted, over reloads. HAProxy begins anew with each process, so what a process
 * had counted is written down before its successor begins, with whose it was: whichever of the two is
 * asked then, nothing is counted twice, nor seems to go back. What connections of an earlier process
 * still count after the reload is not in it.
 */
import type { TrafficFigures } from '../../data-plane.js';

/** By listener. */
export type Counters = ReadonlyMap<string, TrafficFigures>;

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
  return new Map([...now].flatMap(([id, figures]) => sumOf(id, before.get(id), figures)));
}

function sumOf(
  id: string,
  one: TrafficFigures | undefined,
  other: TrafficFigures | undefined,
): [string, TrafficFigures][] {
  const last = other ?? one;
  if (!last) return [];
  if (!one || !other) return [[id, last]];
  const totals = TOTALS.map((name) => [name, one[name] + other[name]]);
  return [[id, { ...last, ...(Object.fromEntries(totals) as Partial<TrafficFigures>) }]];
}

export function writeCounters({ pid, earlier, last }: KeptCounters): string {
  return JSON.stringify({ pid, earlier: [...earlier], last: [...last] });
}

/** @returns none for what is no such file */
export function readCounters(text: string): KeptCounters {
  try {
    const { pid, earlier, last } = JSON.parse(text) as {
      pid: number;
      earlier: [string, TrafficFigures][];
      last: [string, TrafficFigures][];
    };
    return { pid, earlier: new Map(earlier), last: new Map(last) };
  } catch {
    return NO_COUNTERS;
  }
}
