import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { StatisticsSweep } from '../statistics/statistics.sweep.js';
import { loadBalancers } from '../tree/load-balancer.entity.js';
import { refusal, startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { runTree } from '../tree/tree.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer({ config: { host: 'host-1', zone: 'north' } });
});
afterAll(() => fixture.stop());

type Amphora = Readonly<Record<string, unknown>> & { readonly id: string };

const send = (method: string, path: string, token = fixture.admin): Promise<TestResponse> =>
  fixture.client.send(method, `/v2/octavia/amphorae${path}`, { token });

const list = async (query: string): Promise<Amphora[]> =>
  ((await send('GET', `?${query}`)).body as { amphorae: Amphora[] }).amphorae;

const instanceOf = async (loadBalancerId: string): Promise<Amphora> => {
  const [one, ...others] = await list(`loadbalancer_id=${loadBalancerId}`);
  if (!one || others.length > 0) throw new Error('it has not one instance');
  return one;
};

describe('an amphora', () => {
  it('describes a load balancer on its host', async () => {
    const made = await fixture.createLoadBalancer();
    const amphora = await instanceOf(made.id);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as unknown;
    const none = { compute_id: null, lb_network_ip: null, vrrp_ip: null, vrrp_port_id: null };
    const noServer = { image_id: null, compute_flavor: null, cert_expiration: null };
    const noVrrp = { vrrp_interface: null, vrrp_id: null, vrrp_priority: null };
    expect(amphora).toEqual({
      id: amphora.id,
      loadbalancer_id: made.id,
      host: 'host-1',
      cached_zone: 'north',
      ha_ip: made['vip_address'],
      ha_port_id: made['vip_port_id'],
      role: 'STANDALONE',
      status: 'ALLOCATED',
      cert_busy: false,
      created_at: time,
      updated_at: time,
      ...none,
      ...noServer,
      ...noVrrp,
    });
    expect((await send('GET', `/${amphora.id}`)).body).toEqual({ amphora });
    const shown = await send('GET', `/${amphora.id}?fields=status&fields=role`);
    expect(shown.body).toEqual({ amphora: { status: 'ALLOCATED', role: 'STANDALONE' } });
  });

  it('can be filtered by properties of its load balancer and its host', async () => {
    const made = await fixture.createLoadBalancer({ project_id: newId() }, fixture.admin);
    const { id } = await instanceOf(made.id);
    for (const query of [
      `load_balancer_id=${made.id}`,
      `ha_port_id=${String(made['vip_port_id'])}`,
      `project_id=${made.project_id}`,
      `id=${id}&status=ALLOCATED&role=STANDALONE&cached_zone=north&host=host-1&cert_busy=False`,
    ])
      expect((await list(query)).map((one) => one.id)).toEqual([id]);
    const others = ['status=ERROR', 'role=MASTER', 'cached_zone=south', `compute_id=${id}`];
    for (const query of others) expect(await list(`id=${id}&${query}`)).toEqual([]);
    const sorted = await list('sort=created_at:desc&limit=1&fields=loadbalancer_id');
    expect(sorted).toEqual([{ loadbalancer_id: made.id }]);
    expect((await send('GET', '?colour=red')).status).toBe(400);
  });

  it('keeps its id through changes of its load balancer', async () => {
    const made = await fixture.createLoadBalancer();
    const before = await instanceOf(made.id);
    await fixture.client.put(`/v2/lbaas/loadbalancers/${made.id}`, {
      token: fixture.member,
      body: { loadbalancer: { name: 'other' } },
    });
    await fixture.settle();
    expect((await instanceOf(made.id)).id).toBe(before.id);
  });

  it('is in ERROR while its host is dead or its load balancer is in error', async () => {
    const made = await fixture.createLoadBalancer();
    const query = (sql: string): Promise<unknown> => fixture.app.dataSource.query(sql);
    const statusWhile = async (sql: string): Promise<unknown> => {
      await query(sql);
      return (await instanceOf(made.id))['status'];
    };
    const set = (host: string) => `UPDATE instances SET host = '${host}'
      WHERE load_balancer_id = '${made.id}'`;
    expect(await statusWhile(set('gone'))).toBe('ERROR');
    expect(await statusWhile(set('host-1'))).toBe('ALLOCATED');
    const broken = `UPDATE load_balancers SET state = 'error' WHERE id = '${made.id}'`;
    expect(await statusWhile(broken)).toBe('ERROR');
  });

  it('shows its statistics', async () => {
    const { id, listenerId } = await runTree(fixture);
    const amphora = await instanceOf(id);
    const stats = async (): Promise<unknown> => (await send('GET', `/${amphora.id}/stats`)).body;
    const ids = { id: amphora.id, loadbalancer_id: id, listener_id: listenerId };
    const zero = { bytes_in: 0, bytes_out: 0, active_connections: 0 };
    const none = { ...zero, total_connections: 0, request_errors: 0 };
    expect(await stats()).toEqual({ amphora_stats: [{ ...ids, ...none }] });
    const carried = { bytesIn: 5_000_000_000, bytesOut: 0, requestErrors: 0 };
    fixture.dataPlane.traffic.set(listenerId, {
      ...carried,
      activeConnections: 1,
      totalConnections: 3,
    });
    await fixture.app.nest.get(StatisticsSweep).look(fixture.ctx);
    const own = { ...none, bytes_in: 5_000_000_000, active_connections: 1, total_connections: 3 };
    expect(await stats()).toEqual({ amphora_stats: [{ ...ids, ...own }] });
    // What another one has carried before is not its own.
    const move = 'UPDATE instances SET host = $2 WHERE load_balancer_id = $1';
    await fixture.ctx.manager.query(move, [id, 'host-2']);
    expect(await stats()).toEqual({ amphora_stats: [{ ...ids, ...none }] });
  });

  it('has no statistics without listeners', async () => {
    const { id } = await instanceOf((await fixture.createLoadBalancer()).id);
    expect(refusal(await send('GET', `/${id}/stats`))).toEqual([
      404,
      'NotFound',
      `Amphora stats for ${id} not found.`,
    ]);
  });

  it('takes its settings from its host, and cannot be deleted', async () => {
    const { id } = await instanceOf((await fixture.createLoadBalancer()).id);
    expect((await send('PUT', `/${id}/config`)).status).toBe(202);
    expect(refusal(await send('DELETE', `/${id}`))).toEqual([
      409,
      'ImmutableObject',
      `Amphora ${id} is immutable and cannot be updated.`,
    ]);
    expect((await send('GET', `/${id}`)).status).toBe(200);
  });
});

describe('a failover', () => {
  it.each(['amphora', 'load balancer'])('of an %s applies it again', async (what) => {
    const { dataPlane, admin: token } = fixture;
    const { id } = await runTree(fixture);
    const former = await instanceOf(id);
    const calls: string[] = [];
    const remove = dataPlane.remove.bind(dataPlane);
    dataPlane.remove = (one) => remove(one).then(() => void calls.push(`remove ${one}`));
    dataPlane.delay = () => Promise.resolve(void calls.push('apply'));
    const asked =
      what === 'amphora'
        ? send('PUT', `/${former.id}/failover`)
        : fixture.client.put(`/v2/lbaas/loadbalancers/${id}/failover`, { token });
    expect((await asked).status).toBe(202);
    await fixture.settle();
    expect(calls).toEqual([`remove ${id}`, 'apply']);
    expect((await instanceOf(id)).id).not.toBe(former.id);
    expect((await loadBalancers.get(fixture.ctx, id)).state).toBe('active');
    expect((await send('GET', `/${former.id}`)).status).toBe(404);
    dataPlane.remove = remove;
  });

  it('is refused while its load balancer is changing', async () => {
    const made = await fixture.createLoadBalancer();
    const { id } = await instanceOf(made.id);
    const now = 'UPDATE load_balancers SET state = $2 WHERE id = $1';
    await fixture.ctx.manager.query(now, [made.id, 'pending_update']);
    const immutable = `Load Balancer ${made.id} is immutable and cannot be updated.`;
    const answer = await send('PUT', `/${id}/failover`);
    expect(refusal(answer)).toEqual([409, 'ImmutableObject', immutable]);
    await fixture.ctx.manager.query(now, [made.id, 'active']);
  });
});

it('amphorae are visible to administrators only', async () => {
  const { id } = await instanceOf((await fixture.createLoadBalancer()).id);
  for (const [method, path] of [
    ['GET', ''] as const,
    ['GET', `/${id}`] as const,
    ['GET', `/${id}/stats`] as const,
    ['PUT', `/${id}/config`] as const,
    ['PUT', `/${id}/failover`] as const,
    ['DELETE', `/${id}`] as const,
  ])
    expect((await send(method, path, fixture.member)).status).toBe(403);
});

it.each([randomUUID(), 'no-id'])('no amphora has the id %s', async (id) => {
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['GET', `/${id}/stats`],
    ['PUT', `/${id}/config`],
    ['PUT', `/${id}/failover`],
    ['DELETE', `/${id}`],
  ] as const)
    expect((await send(method, path)).status).toBe(404);
});
