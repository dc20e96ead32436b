import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { initialState } from '@cumulet/common/states/transition';
import { Table } from '@cumulet/common/tables/table';
import { Listener } from '../tree/listener.entity.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { Pool } from '../tree/pool.entity.js';
import { holdBack } from '../parts/hold-back.fixture.js';
import { markDeleting, markUpdating, takeTree, nudgeLoadBalancer } from '../tree/take-tree.js';
import { ImmutableObjectError } from '../resources/octavia.errors.js';
import { TlsContentsService } from '../tls/tls-contents.service.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { loadBalancerStates } from '../tree/load-balancer.states.js';

const missing = (): DomainError => new DomainError('not-found', 'missing');
const listeners = new Table(Listener, { missing });
const pools = new Table(Pool, { missing });

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = holdBack(await startLoadBalancer());
});
afterAll(() => fixture.stop());

/** A new load balancer, with a listener, whose default is a pool. */
async function create(): Promise<{ id: string; listenerId: string; poolId: string }> {
  const [id, listenerId, poolId] = [randomUUID(), randomUUID(), randomUUID()];
  const { ctx, project } = fixture;
  const part = { projectId: project, loadBalancerId: id } as Pick<
    Listener,
    'projectId' | 'loadBalancerId'
  >;
  await inTransaction(ctx, async (tx) => {
    await loadBalancers.insert(tx, {
      id,
      projectId: part.projectId,
      provider: 'haproxy',
      vipSubnetId: randomUUID(),
      ...initialState(loadBalancerStates),
    });
    await pools.insert(tx, {
      ...part,
      id: poolId,
      protocol: 'HTTP',
      lbAlgorithm: 'ROUND_ROBIN',
    });
    await listeners.insert(tx, {
      ...part,
      id: listenerId,
      protocol: 'HTTP',
      protocolPort: 80,
      defaultPoolId: poolId,
    });
    await nudgeLoadBalancer(tx, { id, host: null });
  });
  return { id, listenerId, poolId };
}

function show(id: string): Promise<LoadBalancer> {
  return loadBalancers.get(fixture.ctx, id);
}

async function statuses(id: string): Promise<readonly string[]> {
  const { ctx } = fixture;
  const rows = await listeners.select(ctx, [
    (bind, column) => `${column('loadBalancerId')} = ${bind(id)}`,
  ]);
  return rows.map(({ provisioningStatus }) => provisioningStatus);
}

it('gives a new load balancer a port and a host, and runs it', async () => {
  const { id, listenerId, poolId } = await create();
  await fixture.settle();
  const row = await show(id);
  expect(row).toMatchObject({
    state: 'active',
    host: fixture.config.host,
    vipAddress: expect.stringContaining('203.0.113.') as unknown,
    listenerIds: [listenerId],
    poolIds: [poolId],
  });
  expect(fixture.dataPlane.running.get(id)?.spec).toMatchObject({
    addresses: [row.vipAddress],
    listeners: [{ id: listenerId, port: 80, defaultPoolId: poolId }],
  });
  expect(await statuses(id)).toEqual(['ACTIVE']);
});

it('lets one of two concurrent writers succeed', async () => {
  const { id } = await create();
  await fixture.settle();
  const take = (): Promise<void> => inTransaction(fixture.ctx, (tx) => takeTree(tx, id));
  const outcomes = await Promise.allSettled([take(), take()]);
  const refused = outcomes.filter((one) => one.status === 'rejected');
  expect(refused.map(({ reason }) => reason as unknown)).toEqual([
    new ImmutableObjectError('Load Balancer', id),
  ]);
  await fixture.settle();
  expect((await show(id)).state).toBe('active');
});

it('keeps a deleted part until the load balancer has been applied without it', async () => {
  const { id, listenerId } = await create();
  await fixture.settle();
  await inTransaction(fixture.ctx, async (tx) => {
    await takeTree(tx, id);
    await markDeleting(tx, 'listeners', [listenerId]);
  });
  expect(await statuses(id)).toEqual(['PENDING_DELETE']);
  await fixture.settle();
  expect(await statuses(id)).toEqual([]);
  expect(fixture.dataPlane.running.get(id)?.spec.listeners).toEqual([]);
});

it('reports why a change cannot be applied, and retries with the next change', async () => {
  const { id, listenerId } = await create();
  await fixture.settle();
  const change = (): Promise<void> =>
    inTransaction(fixture.ctx, async (tx) => {
      await takeTree(tx, id);
      await markUpdating(tx, 'listeners', [listenerId]);
    });
  fixture.dataPlane.failures.push(new DomainError('invalid', 'no such cipher'));
  await change();
  await fixture.settle();
  expect(await show(id)).toMatchObject({ state: 'error', stateReason: 'no such cipher' });
  expect(await statuses(id)).toEqual(['ERROR']);
  await change();
  await fixture.settle();
  expect(await show(id)).toMatchObject({ state: 'active', stateReason: null });
  expect(await statuses(id)).toEqual(['ACTIVE']);
});

it('keeps the previous configuration running if a failover cannot read secrets', async () => {
  const { id } = await create();
  await fixture.settle();
  const before = fixture.dataPlane.running.get(id);
  const tls = fixture.app.nest.get(TlsContentsService);
  const read = jest.spyOn(tls, 'read').mockRejectedValueOnce(new DomainError('invalid', 'gone'));
  const path = `/v2.0/lbaas/loadbalancers/${id}/failover`;
  expect((await fixture.client.send('PUT', path, { token: fixture.admin })).status).toBe(202);
  await fixture.settle();
  read.mockRestore();
  expect(await show(id)).toMatchObject({ state: 'error', stateReason: 'gone' });
  expect(fixture.dataPlane.running.get(id)).toBe(before);
});

it('deletes a load balancer in any state, with everything in it', async () => {
  const { id } = await create();
  await inTransaction(fixture.ctx, (tx) => takeTree(tx, id, 'remove'));
  await fixture.settle();
  await expect(show(id)).rejects.toThrow(`Load Balancer ${id} not found.`);
  expect(fixture.dataPlane.running.has(id)).toBe(false);
  expect(fixture.vips.ports.has(id)).toBe(false);
});
