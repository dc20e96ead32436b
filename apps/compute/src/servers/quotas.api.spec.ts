import { describe, expect, it } from '@jest/globals';
import { startCompute } from '../compute.fixture.js';

describe('quotas', () => {
  it('answer 403 where something is left, and 413 where nothing is', async () => {
    const limited = await startCompute({ config: { quotaInstances: 2 } });
    try {
      await limited.buildServer();
      const exceeded = await limited.createServer({ min_count: 2 });
      expect([exceeded.status, exceeded.body]).toEqual([
        403,
        {
          forbidden: {
            code: 403,
            message: 'Quota exceeded for instances: requested 2, 1 of 2 left',
          },
        },
      ]);
      await limited.buildServer();
      const exhausted = await limited.createServer();
      expect([exhausted.status, exhausted.body]).toEqual([
        413,
        { overLimit: { code: 413, message: 'Quota exhausted for instances: all 2 are in use' } },
      ]);
    } finally {
      await limited.stop();
    }
  });

  it('never let two requests share the last unit', async () => {
    const limited = await startCompute({ config: { quotaInstances: 3 } });
    try {
      const responses = await Promise.all(Array.from({ length: 8 }, () => limited.createServer()));
      expect(responses.filter(({ status }) => status === 202)).toHaveLength(3);
      expect(responses.filter(({ status }) => status === 413)).toHaveLength(5);
    } finally {
      await limited.stop();
    }
  });
});
