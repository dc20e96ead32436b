/** Load balancers of the provider `ovn`, with a network service of the test's. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  refusal,
  startLoadBalancer,
  type LoadBalancerFixture,
  type Wire,
} from '../loadbalancer.fixture.js';
import type { FakeBalancers } from '../network/balancers.fixture.js';
import { FakeNetworks } from '../network/networks.fixture.js';
import { OvnComparison, OvnStatisticsSweep } from './ovn.sweeps.js';

let fixture: LoadBalancerFixture;
let balancers: FakeBalancers;
let id: string;

beforeAll(async () => {
  // Before the service starts, whose sweeps look at once, and then not for five seconds.
  const networks = new FakeNetworks();
  networks.agents = () =>
    Promise.resolve([{ host: 'one', isAlive: true, datapathType: 'netdev', namespace: 'ns' }]);
  fixture = await startLoadBalancer({ networks });
  ({ balancers } = fixture);
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  ({ id } = await fixture.createLoadBalancer({ provider: 'ovn' }));
});

const post = (path: string, body: object) =>
  fixture.client.post(`/v2.0/lbaas/${path}`, { token: fixture.member, body });
const put = (path: string, body: object) =>
  fixture.client.put(`/v2.0/lbaas/${path}`, { token: fixture.member, body });
const made = async (path: string, name: string, fields: object): Promise<Wire> => {
  const { body, status, text } = await post(path, { [name]: fields });
  if (status !== 201) throw new Error(text);
  await fixture.settle();
  return (body as Record<string, Wire>)[name] as Wire;
};
const shown = () => fixture.show(`loadbalancers/${id}`, 'loadbalancer');

interface Tree {
  readonly listener: Wire;
  readonly pool: Wire;
  readonly member: Wire;
}

async function treeOf(protocol: string): Promise<Tree> {
  const own = { loadbalancer_id: id, protocol };
  const listener = await made('listeners', 'listener', { ...own, protocol_port: 80 });
  const pool = await made('pools', 'pool', {
    listener_id: listener.id,
    protocol,
    lb_algorithm: 'SOURCE_IP_PORT',
    session_persistence: { type: 'SOURCE_IP' },
  });
  const member = await made(`pools/${pool.id}/members`, 'member', {
    address: '203.0.113.77',
    protocol_port: 8080,
  });
  return { listener, pool, member };
}

describe('a load balancer of the provider OVN', () => {
  it.each(['TCP', 'UDP', 'SCTP'])('balances %s in OVN, on no host', async (protocol) => {
    const { listener, pool, member } = await treeOf(protocol);
    const row = await shown();
    expect(row).toMatchObject({ provider: 'ovn', provisioning_status: 'ACTIVE' });
    expect(balancers.held.get(id)).toEqual({
      id,
      projectId: fixture.project,
      vipPortId: row['vip_port_id'],
      isEnabled: true,
      listeners: [
        {
          id: listener.id,
          protocol: protocol.toLowerCase(),
          port: 80,
          check: null,
          affinityTimeout: 360,
          members: [{ id: member.id, address: '203.0.113.77', port: 8080, subnetId: null }],
        },
      ],
    });
    expect(fixture.dataPlane.running.has(id)).toBe(false);
    await put(`pools/${pool.id}`, { pool: { admin_state_up: false } });
    await fixture.settle();
    expect(balancers.held.get(id)?.listeners).toMatchObject([{ members: [] }]);
    await put(`listeners/${listener.id}`, { listener: { admin_state_up: false } });
    await fixture.settle();
    expect(balancers.held.get(id)?.listeners).toEqual([]);
  });

  it('shows the member statuses that OVN reports', async () => {
    const { pool, member } = await treeOf('TCP');
    const monitor = { pool_id: pool.id, type: 'TCP', delay: 5, timeout: 3, max_retries: 2 };
    await made('healthmonitors', 'healthmonitor', { ...monitor, max_retries_down: 4 });
    expect(balancers.held.get(id)?.listeners[0]?.check).toEqual({
      interval: 5,
      timeout: 3,
      successCount: 2,
      failureCount: 4,
    });
    const sweep = fixture.app.nest.get(OvnStatisticsSweep);
    const status = async () =>
      (await fixture.show(`pools/${pool.id}/members/${member.id}`, 'member')).operating_status;
    await sweep.look(fixture.ctx);
    expect(await status()).toBe('ONLINE');
    expect((await shown()).operating_status).toBe('ONLINE');
    balancers.results.set(member.id, 'offline');
    await sweep.look(fixture.ctx);
    expect(await status()).toBe('ERROR');
    expect((await shown()).operating_status).toBe('ERROR');
  });

  it("is in ERROR with the network service's reason, and recovers", async () => {
    balancers.refusals.set(id, 'The port is gone.');
    await post('listeners', {
      listener: { loadbalancer_id: id, protocol: 'TCP', protocol_port: 80 },
    });
    await fixture.settle();
    expect(await shown()).toMatchObject({
      provisioning_status: 'ERROR',
      provisioning_status_reason: 'The port is gone.',
    });
    balancers.refusals.delete(id);
    await put(`loadbalancers/${id}`, { loadbalancer: { name: 'again' } });
    await fixture.settle();
    expect(await shown()).toMatchObject({ provisioning_status: 'ACTIVE' });
  });

  it('is restored if OVN has lost it, and unknown ones are removed', async () => {
    const [held] = balancers.held.values();
    if (!held) throw new Error('there is none');
    balancers.held.clear();
    balancers.held.set('stranger', { ...held, id: 'stranger' });
    await fixture.app.nest.get(OvnComparison).compare(fixture.ctx);
    await fixture.settle();
    expect(balancers.held.has('stranger')).toBe(false);
    expect(balancers.held.has(id)).toBe(true);
    expect(await shown()).toMatchObject({ provisioning_status: 'ACTIVE' });
  });

  it('leaves nothing behind', async () => {
    await treeOf('TCP');
    const { status } = await fixture.client.delete(`/v2.0/lbaas/loadbalancers/${id}?cascade=true`, {
      token: fixture.member,
    });
    expect(status).toBe(204);
    await fixture.settle();
    expect(balancers.held.has(id)).toBe(false);
    expect(fixture.vips.ports.has(id)).toBe(false);
  });

  it('is created with all its parts at once, or not at all', async () => {
    const pool = { name: 'p', protocol: 'UDP', lb_algorithm: 'SOURCE_IP_PORT' };
    const member = { address: '203.0.113.77', protocol_port: 53 };
    const bodyOf = (fields: object) => ({
      loadbalancer: {
        vip_subnet_id: fixture.networks.subnet.id,
        provider: 'ovn',
        listeners: [
          {
            protocol: 'UDP',
            protocol_port: 53,
            default_pool: { ...pool, members: [{ ...member, ...fields }] },
          },
        ],
      },
    });
    const count = () => fixture.ctx.manager.query<object[]>('SELECT FROM load_balancers');
    const before = await count();
    const answer = await post('loadbalancers', bodyOf({ weight: 7 }));
    expect(refusal(answer).slice(0, 2)).toEqual([501, 'ProviderUnsupportedOption']);
    expect(await count()).toHaveLength(before.length);
    const { body } = await post('loadbalancers', bodyOf({}));
    await fixture.settle();
    const { id: whole } = (body as { loadbalancer: Wire }).loadbalancer;
    expect(balancers.held.get(whole)?.listeners).toMatchObject([
      { protocol: 'udp', port: 53, members: [{ address: '203.0.113.77', port: 53 }] },
    ]);
  });

  it('has a provider that is listed', async () => {
    const { body } = await fixture.client.get('/v2/lbaas/providers', { token: fixture.reader });
    const { providers } = body as { providers: Wire[] };
    expect(providers.map((one) => one['name'])).toContain('ovn');
  });
});

describe('an option that OVN does not support is refused by name', () => {
  const unsupported = [501, 'ProviderUnsupportedOption'];

  it.each([
    ['protocol', { protocol: 'HTTP' }],
    ['allowed_cidrs', { allowed_cidrs: ['10.0.0.0/8'] }],
    ['connection_limit', { connection_limit: 5 }],
    ['timeout_client_data', { timeout_client_data: 1_000 }],
  ])('%s of a listener', async (name, fields) => {
    const listener = { loadbalancer_id: id, protocol: 'TCP', protocol_port: 80, ...fields };
    const [status, type, message] = refusal(await post('listeners', { listener }));
    expect([status, type]).toEqual(unsupported);
    expect(message).toContain(name);
  });

  it.each([
    ['algorithm', { lb_algorithm: 'ROUND_ROBIN' }],
    ['protocol', { protocol: 'HTTP' }],
    [
      'session_persistence',
      {
        protocol: 'UDP',
        session_persistence: { type: 'SOURCE_IP', persistence_granularity: '255.255.0.0' },
      },
    ],
  ])('%s of a pool', async (name, fields) => {
    const pool = {
      loadbalancer_id: id,
      protocol: 'TCP',
      lb_algorithm: 'SOURCE_IP_PORT',
      ...fields,
    };
    const answer = await post('pools', { pool });
    expect([answer.status, answer.text]).toEqual([501, expect.stringContaining(name)]);
  });

  it.each([
    ['weight', { weight: 0 }],
    ['backup', { backup: true }],
    ['monitor_port', { monitor_port: 81 }],
    ['monitor_address', { monitor_address: '203.0.113.9' }],
    ['IP version', { address: '2001:db8::1' }],
  ])('%s of a member, without any effect', async (name, fields) => {
    const { pool, member } = await treeOf('TCP');
    const good = { address: '203.0.113.78', protocol_port: 8080 };
    const path = `pools/${pool.id}/members`;
    const [status, type, message] = refusal(await post(path, { member: { ...good, ...fields } }));
    expect([status, type]).toEqual(unsupported);
    expect(message).toContain(name);
    const batch = await put(path, { members: [good, { ...good, protocol_port: 81, ...fields }] });
    expect(batch.status).toBe(501);
    const list = await fixture.client.get(`/v2.0/lbaas/${path}`, { token: fixture.member });
    expect((list.body as { members: Wire[] }).members.map((one) => one.id)).toEqual([member.id]);
    expect(await shown()).toMatchObject({ provisioning_status: 'ACTIVE' });
  });

  it.each(['HTTP', 'PING', 'TLS-HELLO'])('a health monitor of type %s', async (type) => {
    const { pool } = await treeOf('TCP');
    const healthmonitor = { pool_id: pool.id, type, delay: 5, timeout: 3, max_retries: 2 };
    const [status, kind, message] = refusal(await post('healthmonitors', { healthmonitor }));
    expect([status, kind]).toEqual(unsupported);
    expect(message).toContain(type);
  });

  it('an L7 policy', async () => {
    const { listener } = await treeOf('TCP');
    const l7policy = { listener_id: listener.id, action: 'REJECT' };
    expect(refusal(await post('l7policies', { l7policy })).slice(0, 2)).toEqual(unsupported);
  });

  it('an attribute of the load balancer, which is not created', async () => {
    const policy = fixture.networks.addPolicy({});
    const loadbalancer = {
      vip_subnet_id: fixture.networks.subnet.id,
      provider: 'ovn',
      vip_qos_policy_id: policy.id,
    };
    const [status, type, message] = refusal(await post('loadbalancers', { loadbalancer }));
    expect([status, type]).toEqual(unsupported);
    expect(message).toContain('vip_qos_policy_id');
  });
});

it('the provider is not listed if the network service has no OVN', async () => {
  const plain = await startLoadBalancer();
  try {
    const loadbalancer = { vip_subnet_id: plain.networks.subnet.id, provider: 'ovn' };
    const answer = await plain.client.post('/v2.0/lbaas/loadbalancers', {
      token: plain.member,
      body: { loadbalancer },
    });
    expect(refusal(answer)).toEqual([400, 'ProviderNotEnabled', "Provider 'ovn' is not enabled."]);
  } finally {
    await plain.stop();
  }
});
