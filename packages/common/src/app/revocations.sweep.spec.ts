import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino, type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { SweepLoop } from '../jobs/sweep.js';
import { sweepsAmong } from '../service/background.js';
import { RevocationRefresh } from './revocations.sweep.js';

let lines: string[];
let logger: Logger;

beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  logger = pino({}, { write: (line: string) => void lines.push(line) });
});
afterEach(() => {
  jest.useRealTimers();
});

/** As a service runs it, at its own pace. */
function loopOf(refresh: () => Promise<void>, revocationRefresh: number): SweepLoop {
  const provider = new RevocationRefresh({ refresh }, logger);
  const sweeps = sweepsAmong([provider], { revocationRefresh }, true);
  return new SweepLoop(new DataSource({ type: 'postgres' }), logger, sweeps, {
    leads: () => Promise.reject(new Error('asked about a sweep that each process does')),
  });
}

describe('RevocationRefresh', () => {
  it('refreshes at once, and again after each pause', async () => {
    const refresh = jest.fn(() => Promise.resolve());
    const loop = loopOf(refresh, 2_000);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(refresh).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(refresh).toHaveBeenCalledTimes(3);
    await loop.stop();
  });

  it('never runs two refreshes at once', async () => {
    let end = (): void => undefined;
    const refresh = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const loop = loopOf(refresh, 10);
    loop.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
    end();
    await jest.advanceTimersByTimeAsync(10);
    expect(refresh).toHaveBeenCalledTimes(2);
    end();
    await loop.stop();
  });

  it('continues after failures, and logs an outage once at each end', async () => {
    let failing = true;
    const refresh = (): Promise<void> =>
      failing ? Promise.reject(new Error('identity is away')) : Promise.resolve();
    const loop = loopOf(refresh, 10);
    loop.start();
    await jest.advanceTimersByTimeAsync(100);
    expect(lines).toHaveLength(1);
    failing = false;
    await jest.advanceTimersByTimeAsync(100);
    expect(lines).toHaveLength(2);
    await loop.stop();
  });

  it('stops once the running refresh has ended', async () => {
    let end = (): void => undefined;
    const refresh = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const loop = loopOf(refresh, 10);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    const stopped = loop.stop();
    end();
    await stopped;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
  });
});
