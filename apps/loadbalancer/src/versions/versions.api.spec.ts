import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());

it.each(['/', '/v2', '/v2/', '/v2.0', '/v2.0/'])(
  '%s shows all versions to anybody',
  async (path) => {
    const { status, body } = await fixture.client.get(path);
    const { versions } = body as { versions: { id: string; status: string; links: unknown }[] };
    expect(status).toBe(200);
    expect(versions.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => `v2.${at}`));
    expect(versions.filter((one) => one.status === 'CURRENT')).toEqual([
      {
        id: 'v2.29',
        status: 'CURRENT',
        updated: '2024-10-15T00:00:00Z',
        links: [{ rel: 'self', href: `${fixture.client.baseUrl}/v2` }],
      },
    ]);
  },
);

it('responds at /v2 as at /v2.0', async () => {
  const token = fixture.reader;
  const short = await fixture.client.get('/v2/lbaas/quotas/defaults', { token });
  const long = await fixture.client.get('/v2.0/lbaas/quotas/defaults', { token });
  expect([short.status, short.body]).toEqual([200, long.body]);
});
