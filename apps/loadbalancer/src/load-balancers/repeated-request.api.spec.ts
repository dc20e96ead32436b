/** A load balancer whose answer is kept under an Idempotency-Key gets its port by the reconciler alone. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLoadBalancer, type LoadBalancerFixture, type Wire } from '../loadbalancer.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  // Nothing works on it.
  fixture = await startLoadBalancer({ config: { role: 'api' } });
});
afterAll(() => fixture.stop());

it('a repeated request is processed immediately, not after the timeout for port creation', async () => {
  const body = { loadbalancer: { vip_subnet_id: fixture.networks.subnet.id } };
  const headers = { 'Idempotency-Key': randomUUID() };
  const asked = { token: fixture.member, headers, body };
  const answer = await fixture.client.post('/v2.0/lbaas/loadbalancers', asked);
  const { id } = (answer.body as { readonly loadbalancer: Wire }).loadbalancer;
  expect(fixture.vips.ports.size).toBe(0);
  const due: unknown[] = await fixture.app.dataSource.query(
    "SELECT FROM jobs WHERE resource = 'load_balancer' AND id = $1 AND run_at <= now()",
    [id],
  );
  expect(due).toHaveLength(1);
});
