import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { createLogger } from '@cumulet/common/observe/logger';
import type { BalancerSpec } from '../data-plane/balancer-spec.js';
import { balancerSpec } from '../data-plane/balancer.fixture.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { insertTree, runTree } from '../tree/tree.fixture.js';
import { HostComparison } from './host-comparison.sweep.js';

let fixture: LoadBalancerFixture;
let comparison: HostComparison;

beforeAll(async () => {
  fixture = await startLoadBalancer({ config: { host: 'here' } });
  await addHost('living', 0);
  await addHost('dead', 60);
});
afterAll(() => fixture.stop());
beforeEach(() => {
  comparison = new HostComparison(
    fixture.dataPlane,
    fixture.config,
    createLogger('test', 'silent'),
  );
});

async function addHost(name: string, silentSeconds: number): Promise<void> {
  await fixture.app.dataSource.query(
    `INSERT INTO hosts (name, data_plane, seen_at)
     VALUES ($1, 'simulated', now() - $2 * interval '1 second')`,
    [name, silentSeconds],
  );
}

const show = (id: string): Promise<LoadBalancer> => loadBalancers.get(fixture.ctx, id);

/** Has it run here, whatever the rows say. @returns whether a comparison leaves it */
async function isLeft(id: string): Promise<boolean> {
  const spec: BalancerSpec = balancerSpec({ id });
  await fixture.dataPlane.apply(spec, { kind: 'host' });
  await comparison.compare(fixture.ctx);
  return fixture.dataPlane.running.delete(id);
}

describe('among its running load balancers, a host', () => {
  it('removes unknown ones', async () => {
    expect(await isLeft(randomUUID())).toBe(false);
  });

  it('removes those that another host runs', async () => {
    const { id } = await insertTree(fixture, { state: 'active', host: 'living' });
    expect(await isLeft(id)).toBe(false);
  });

  it('keeps those that are waiting for another host', async () => {
    const { id } = await insertTree(fixture, { state: 'pending_delete', host: null });
    expect(await isLeft(id)).toBe(true);
  });

  it('keeps those of a dead host, which may be its own former name', async () => {
    const { id } = await insertTree(fixture, { state: 'active', host: 'dead' });
    expect(await isLeft(id)).toBe(true);
  });

  it('removes the others if one cannot be removed', async () => {
    const stuck = randomUUID();
    const plane = Object.assign(Object.create(fixture.dataPlane) as typeof fixture.dataPlane, {
      inventory: () => Promise.resolve([stuck, other].map((id) => ({ id, isWhole: true }))),
      remove: (id: string) =>
        id === stuck ? Promise.reject(new Error('busy')) : Promise.resolve(removed.push(id)),
    });
    const other = randomUUID();
    const removed: string[] = [];
    comparison = new HostComparison(plane, fixture.config, createLogger('test', 'silent'));
    await expect(comparison.compare(fixture.ctx)).rejects.toThrow('1 load balancers could not');
    expect(removed).toEqual([other]);
  });
});

describe('among its assigned load balancers, a host', () => {
  it('restarts those that have ended', async () => {
    const { id } = await runTree(fixture);
    fixture.dataPlane.ended.add(id);
    await comparison.compare(fixture.ctx);
    await fixture.settle();
    expect(fixture.dataPlane.ended.has(id)).toBe(false);
    expect(await show(id)).toMatchObject({ state: 'active', stateReason: null });
  });

  it('leaves running ones alone', async () => {
    const { id } = await runTree(fixture);
    const { generation } = await show(id);
    await comparison.compare(fixture.ctx);
    expect((await show(id)).generation).toBe(generation);
  });

  it('retries those in error only after all were lost, as when the machine restarts', async () => {
    const { id } = await insertTree(fixture, { state: 'error', host: 'here' });
    fixture.dataPlane.failures.push(new DomainError('invalid', 'still no such cipher'));
    await comparison.compare(fixture.ctx);
    await fixture.settle();
    expect(await show(id)).toMatchObject({ state: 'error', stateReason: 'still no such cipher' });
    await comparison.compare(fixture.ctx);
    await fixture.settle();
    expect(await show(id)).toMatchObject({ state: 'error', stateReason: 'still no such cipher' });
  });
});
