/** Ctrl-C, and other ends of a cloud, at awkward moments: whatever has been started is stopped. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';

const MINUTES = 60_000;

describe('a cloud that is interrupted', () => {
  let cloud: RunningCloud;

  beforeAll(async () => {
    cloud = await RunningCloud.stopped({ CUMULET_SEED_MICRO: 'false' });
  }, 5 * MINUTES);

  afterAll(() => cloud.remove(), 5 * MINUTES);

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'by %s while it starts says so, and leaves no process behind',
    async (signal, exitCode) => {
      expect(await cloud.startAndInterrupt(signal)).toBe(exitCode);
      expect(cloud.output).toContain('Stopping; the start is given up.');
      expect(await cloud.processes()).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'twice while it starts leaves no process behind, and nothing for the next start to mend',
    async () => {
      expect(await cloud.startAndInterrupt('SIGINT', 2)).toBe(130);
      // It does not wait for its database, which has been told to end.
      await eventually('no process', 3 * MINUTES, async () => {
        const left = await cloud.processes();
        return left.length === 0 || undefined;
      });
      await cloud.start();
      expect(cloud.output).not.toContain('an earlier run');
    },
    10 * MINUTES,
  );

  it(
    'by a terminal that is closed, and reads its output no more, ends properly all the same',
    async () => {
      cloud.hangUp();
      expect(await cloud.stop('SIGHUP')).toBe(0);
      expect(await cloud.processes()).toEqual([]);
    },
    10 * MINUTES,
  );

  it.each(['SIGTERM', 'SIGQUIT'] as const)(
    'by %s once it is up ends properly',
    async (signal) => {
      await cloud.start();
      expect(await cloud.stop(signal)).toBe(0);
      expect(await cloud.processes()).toEqual([]);
    },
    10 * MINUTES,
  );
});
