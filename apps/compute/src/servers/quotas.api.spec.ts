import { describe, expect, it } from '@jest/globals';
import { startCompute } from '../compute.fixture.js';

describe('quotas', () => {
  it('answer 403 if something is left, and 413 if nothing is', async () => {
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

describe('many servers in one call', () => {
  it('are refused as a whole if the quota leaves fewer than the fewest', async () => {
    const compute = await startCompute();
    try {
      const network = compute.networks.add();
      const response = await compute.createServer({
        min_count: 1_000,
        networks: [{ uuid: network.id }],
      });
      expect(response.body).toMatchObject({
        forbidden: { message: expect.stringContaining('requested 1000') },
      });
      const rows: unknown = await compute.app.dataSource.query(
        `SELECT (SELECT count(*)::integer FROM servers) AS servers,
                (SELECT count(*)::integer FROM server_nics) AS nics`,
      );
      expect(rows).toEqual([{ servers: 0, nics: 0 }]);
      expect(compute.networks.stored.size).toBe(0);
    } finally {
      await compute.stop();
    }
  });

  it('are as many as the quota leaves, if that is enough', async () => {
    const compute = await startCompute({ config: { quotaInstances: 3, quotaCores: -1 } });
    try {
      const response = await compute.createServer({ min_count: 2, max_count: 1_000 });
      expect(response.status).toBe(202);
      await compute.settle();
      const { body } = await compute.client.get('/servers', { token: compute.token });
      expect((body as { servers: unknown[] }).servers).toHaveLength(3);
      const more = await compute.createServer({ max_count: 5 });
      expect(more.status).toBe(413);
    } finally {
      await compute.stop();
    }
  });
});
