import { beforeEach, describe, expect, it } from '@jest/globals';
import { HeartbeatWatch } from './heartbeats.js';

let watch: HeartbeatWatch;

beforeEach(() => {
  watch = new HeartbeatWatch(8_000, 5_000);
});

/** Looks every two seconds. @param beats of each host, by look @returns the dead at the last look */
function dead(looks: readonly Readonly<Record<string, number>>[], start = 0): string[] {
  let last: string[] = [];
  for (const [at, beats] of looks.entries()) {
    const written = Object.entries(beats).map(([host, beat]) => [host, String(beat)] as const);
    last = watch.look(new Map(written), start + at * 2_000);
  }
  return last;
}

describe('a host becomes dead', () => {
  it('after the silence limit', () => {
    const looks = [2, 4, 6, 8, 10].map((lively) => ({ lively, silent: 1 }));
    expect(dead(looks.slice(0, -1))).toEqual([]);
    watch = new HeartbeatWatch(8_000, 5_000);
    expect(dead(looks)).toEqual(['silent']);
  });

  it('until its next heartbeat', () => {
    const silence = Array.from({ length: 6 }, () => ({ host: 1 }));
    expect(dead(silence)).toEqual(['host']);
    expect(dead([...silence, { host: 2 }])).toEqual([]);
  });
});

describe('a host stays alive', () => {
  it('if it was silent only before the first look', () => {
    expect(dead([{ host: 1 }])).toEqual([]);
  });

  it('if nobody looked for some time, as during a database outage', () => {
    expect(dead(Array.from({ length: 4 }, () => ({ host: 1 })))).toEqual([]);
    expect(dead([{ host: 1 }, { host: 1 }], 20_000)).toEqual([]);
  });
});
