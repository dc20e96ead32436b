/** Clusters that the service cannot reach, whose health a client reports. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import { HealthSweep } from './health.sweep.js';

let fixture: ClustersFixture;
let id: string;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  id = await fixture.made();
  fixture.world.unreachable.add(id);
});

async function looked(): Promise<readonly unknown[]> {
  await fixture.ctx.manager.query('UPDATE clusters SET health_checked_at = NULL');
  await fixture.app.nest.get(HealthSweep).look(fixture.ctx);
  return shown();
}

async function shown(): Promise<readonly unknown[]> {
  const { health_status: status, health_status_reason: reason } = await fixture.show(id);
  return [status, reason];
}

async function tell(status: string | null, reason: object = {}): Promise<void> {
  const answer = await fixture.ask('PATCH', `/v1/clusters/${id}`, [
    status === null
      ? { op: 'remove', path: '/health_status' }
      : { op: 'replace', path: '/health_status', value: status },
    { op: 'replace', path: '/health_status_reason', value: JSON.stringify(reason) },
  ]);
  expect(answer.status).toBe(202);
}

const hear = (ago: string): Promise<unknown> =>
  fixture.ctx.manager.query(
    `UPDATE nodes SET heard_at = now() - $2::interval WHERE cluster_id = $1 AND role = 'worker'`,
    [id, ago],
  );

const NOBODY = ['UNKNOWN', { api: expect.stringContaining('could not be reached') }];
const SAID = { api: 'ok', 'web.Ready': 'True' };

it('health that nobody reports is unknown', async () => {
  expect(await looked()).toEqual(NOBODY);
});

it('health reported by a client stays until it reports otherwise', async () => {
  await tell('HEALTHY', SAID);
  expect(await looked()).toEqual(['HEALTHY', SAID]);
  await tell('UNHEALTHY', { api: 'slow' });
  expect(await looked()).toEqual(['UNHEALTHY', { api: 'slow' }]);
  await tell(null);
  expect(await looked()).toEqual(NOBODY);
});

it('a silent node is added to it, until it reports', async () => {
  await tell('HEALTHY', SAID);
  await hear('1 hour');
  const worker = (await fixture.nodesOf(id)).find(({ role }) => role === 'worker');
  const report = `${worker?.name ?? ''}.Report`;
  expect(await looked()).toEqual([
    'UNHEALTHY',
    { ...SAID, [report]: expect.stringContaining('Silent') },
  ]);
  // By a client that sends back what it was shown.
  const [, reason] = await shown();
  await tell('HEALTHY', reason as object);
  await hear('0 seconds');
  expect(await looked()).toEqual(['HEALTHY', SAID]);
});

it("the service's own findings replace it for good", async () => {
  await tell('UNHEALTHY', { api: 'slow' });
  fixture.world.unreachable.delete(id);
  expect(await looked()).toMatchObject(['HEALTHY', { api: 'ok' }]);
  fixture.world.unreachable.add(id);
  expect(await looked()).toEqual(NOBODY);
});
