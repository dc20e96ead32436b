/** Ctrl-C at awkward moments: what has been started is stopped. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningCloud } from '../support/running-cloud.js';

const MINUTES = 60_000;

describe('a cloud that is interrupted', () => {
  let cloud: RunningCloud;

  beforeAll(async () => {
    cloud = await RunningCloud.start({ CUMULET_SEED_MICRO: 'false' });
    await cloud.stop();
  }, 5 * MINUTES);

  afterAll(() => cloud.remove(), MINUTES);

  it(
    'while it starts leaves no process behind, and nothing for the next start to mend',
    async () => {
      expect(await cloud.startAndInterrupt()).toBe(130);
      expect(await cloud.processes()).toEqual([]);
      await cloud.start();
      expect(cloud.output).not.toContain('an earlier run');
    },
    2 * MINUTES,
  );

  it(
    'after nobody reads its output any more ends properly all the same',
    async () => {
      cloud.hangUp();
      expect(await cloud.stop()).toBe(0);
      expect(await cloud.processes()).toEqual([]);
    },
    MINUTES,
  );
});
