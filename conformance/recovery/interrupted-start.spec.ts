/** Ctrl-C while the cloud is still starting: what has been started is stopped. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningCloud } from '../support/running-cloud.js';

const MINUTES = 60_000;

describe('a start that is interrupted', () => {
  let cloud: RunningCloud;

  beforeAll(async () => {
    cloud = await RunningCloud.start({ CUMULET_SEED_MICRO: 'false' });
    await cloud.stop();
  }, 5 * MINUTES);

  afterAll(() => cloud.remove(), MINUTES);

  it(
    'leaves no process behind, and nothing for the next start to mend',
    async () => {
      expect(await cloud.startAndInterrupt()).toBe(130);
      expect(await cloud.processes()).toEqual([]);
      await cloud.start();
      expect(cloud.output).not.toContain('an earlier run');
    },
    2 * MINUTES,
  );
});
