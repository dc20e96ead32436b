import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import {
  refusal,
  startLoadBalancer,
  type LoadBalancerFixture,
  type Wire,
} from '../loadbalancer.fixture.js';
import { holdBack } from '../parts/hold-back.fixture.js';
import { loadBalancers } from '../tree/load-balancer.entity.js';
import { insertTree, runTree } from '../tree/tree.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = holdBack(await startLoadBalancer());
});
afterAll(() => fixture.stop());

const PATH = '/v2.0/lbaas/loadbalancers';

const post = (loadbalancer: object, token = fixture.member): Promise<TestResponse> =>
  fixture.client.post(PATH, { token, body: { loadbalancer } });

const put = (id: string, loadbalancer: object, token = fixture.member): Promise<TestResponse> =>
  fixture.client.put(`${PATH}/${id}`, { token, body: { loadbalancer } });

const remove = (id: string, query = '', token = fixture.member): Promise<TestResponse> =>
  fixture.client.delete(`${PATH}/${id}${query}`, { token });

const list = async (query: string, token = fixture.member): Promise<Wire[]> => {
  const { body } = await fixture.client.get(`${PATH}?${query}`, { token });
  return (body as { loadbalancers: Wire[] }).loadbalancers;
};

describe('a new load balancer', () => {
  it('returns its address immediately, and runs soon after', async () => {
    const { id: subnetId, networkId } = fixture.networks.subnet;
    const asked = { name: 'one', vip_subnet_id: subnetId, tags: ['red'], description: 'first' };
    const { status, body } = await post(asked);
    const { loadbalancer } = body as { loadbalancer: Wire };
    expect([status, loadbalancer]).toEqual([
      201,
      {
        ...asked,
        id: loadbalancer.id,
        project_id: fixture.project,
        tenant_id: fixture.project,
        admin_state_up: true,
        provisioning_status: 'PENDING_CREATE',
        provisioning_status_reason: null,
        operating_status: 'OFFLINE',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
        updated_at: null,
        vip_address: expect.stringMatching(/^203\.0\.113\./),
        vip_port_id: fixture.vips.ports.get(loadbalancer.id),
        vip_network_id: networkId,
        vip_qos_policy_id: null,
        vip_vnic_type: 'normal',
        vip_sg_ids: [],
        additional_vips: [],
        provider: 'haproxy',
        flavor_id: null,
        availability_zone: null,
        listeners: [],
        pools: [],
      },
    ]);
    await fixture.settle();
    expect(await fixture.show(`loadbalancers/${loadbalancer.id}`, 'loadbalancer')).toMatchObject({
      provisioning_status: 'ACTIVE',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    });
    expect(fixture.dataPlane.running.has(loadbalancer.id)).toBe(true);
  });

  it('can be created under each path prefix', async () => {
    const body = { loadbalancer: { vip_subnet_id: fixture.networks.subnet.id } };
    const { member: token } = fixture;
    for (const path of ['/v2/lbaas/loadbalancers', '/v2/loadbalancers', '/v2.0/loadbalancers']) {
      const response = await fetch(`${fixture.client.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([path, response.status]).toEqual([path, 201]);
    }
  });

  it('is created once per Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const name = newId();
    const body = { loadbalancer: { name, vip_subnet_id: fixture.networks.subnet.id } };
    const ask = () => fixture.client.post(PATH, { token: fixture.member, headers, body });
    const first = await ask();
    await fixture.settle();
    const again = await ask();
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(await list(`name=${name}`)).toMatchObject([
      { provisioning_status: 'ACTIVE', vip_address: expect.any(String) },
    ]);
  });

  it('keeps the provider alias that its owner uses', async () => {
    for (const provider of ['haproxy', 'amphora', 'octavia'])
      expect(await fixture.createLoadBalancer({ provider })).toMatchObject({ provider });
    const made = await fixture.createLoadBalancer({ provider: null });
    expect(made).toMatchObject({ provider: 'haproxy' });
  });

  it('belongs to the project that an administrator or service names', async () => {
    const project_id = newId();
    for (const token of [fixture.admin, fixture.service]) {
      const made = await fixture.createLoadBalancer({ project_id }, token);
      expect(made.project_id).toBe(project_id);
    }
    const vip_subnet_id = fixture.networks.subnet.id;
    expect((await post({ vip_subnet_id, project_id })).status).toBe(403);
  });

  it('leaves nothing behind if the network service refuses its port', async () => {
    fixture.vips.failures.push(new DomainError('conflict', 'Address 203.0.113.9 is in use'));
    const name = newId();
    const answer = await post({ name, vip_subnet_id: fixture.networks.subnet.id });
    expect(answer.status).toBe(409);
    expect(await list(`name=${name}`)).toEqual([]);
    await fixture.settle();
  });

  it('gets its address later if the network service is unavailable', async () => {
    fixture.vips.failures.push(new DomainError('unavailable', 'away'));
    const answer = await post({ vip_subnet_id: fixture.networks.subnet.id });
    const { loadbalancer } = answer.body as { loadbalancer: Wire };
    expect([answer.status, loadbalancer['vip_address']]).toEqual([201, null]);
    await fixture.settle();
    const now = await fixture.show(`loadbalancers/${loadbalancer.id}`, 'loadbalancer');
    expect(now).toMatchObject({ provisioning_status: 'ACTIVE', vip_address: expect.any(String) });
  });
});

describe('a body', () => {
  it.each([
    [
      "Invalid input for vip_address. Reason: '10.0.0.300' is not a valid IP address.",
      { vip_address: '10.0.0.300' },
    ],
    ["Invalid input for additional_vips. Reason: '{}' lacks subnet_id.", { additional_vips: [{}] }],
    [
      `Invalid input for name. Reason: '${'x'.repeat(256)}' exceeds maximum length of 255.`,
      { name: 'x'.repeat(256) },
    ],
    ["Unrecognized attribute(s) 'colour'", { colour: 'red' }],
    ["Attribute 'operating_status' not allowed in POST", { operating_status: 'ONLINE' }],
    ["Provider 'f5' is not enabled.", { provider: 'f5' }],
  ])('is refused: %s', async (message, given) => {
    const answer = await post({ vip_subnet_id: fixture.networks.subnet.id, ...given });
    expect(refusal(answer)).toEqual([400, expect.any(String), message]);
  });
});

describe('a change', () => {
  it('locks the load balancer, and null restores a default', async () => {
    const { id } = await fixture.createLoadBalancer({ name: 'before', tags: ['red'] });
    const { status, body } = await put(id, { name: null, tags: null, admin_state_up: false });
    expect([status, body]).toMatchObject([
      200,
      {
        loadbalancer: {
          name: '',
          tags: [],
          admin_state_up: false,
          provisioning_status: 'PENDING_UPDATE',
          updated_at: expect.any(String),
        },
      },
    ]);
    const immutable = `Load Balancer ${id} is immutable and cannot be updated.`;
    expect(refusal(await put(id, { name: 'late' }))).toEqual([409, 'ImmutableObject', immutable]);
    await fixture.settle();
    const both = await Promise.all([put(id, { name: 'a' }), put(id, { name: 'b' })]);
    expect(both.map((one) => one.status).sort()).toEqual([200, 409]);
    await fixture.settle();
    expect(fixture.dataPlane.running.get(id)?.spec.enabled).toBe(false);
  });

  it('may change the security groups and QoS policy of its port, which the caller must see', async () => {
    const { id } = await fixture.createLoadBalancer();
    const owner = { projectId: fixture.project };
    const [group, policy] = [fixture.networks.addGroup(owner), fixture.networks.addPolicy(owner)];
    const given = { vip_sg_ids: [group.id], vip_qos_policy_id: policy.id };
    const { status, body } = await put(id, given);
    expect([status, body]).toMatchObject([200, { loadbalancer: given }]);
    await fixture.settle();
    const theirs = fixture.networks.addGroup({ projectId: newId() });
    const [refused, type, message] = refusal(await put(id, { vip_sg_ids: [theirs.id] }));
    expect([refused, type]).toEqual([400, 'InvalidSubresource']);
    expect(message).toBe(`Security Group ${theirs.id} not found.`);
    expect((await put(id, { vip_sg_ids: null, vip_qos_policy_id: null })).status).toBe(200);
    await fixture.settle();
    const now = await fixture.show(`loadbalancers/${id}`, 'loadbalancer');
    expect(now).toMatchObject({ vip_sg_ids: [], vip_qos_policy_id: null });
  });

  it('is refused while another change is being applied', async () => {
    const { id } = await insertTree(fixture);
    expect(refusal(await put(id, { name: 'late' }))).toEqual([
      409,
      'ImmutableObject',
      `Load Balancer ${id} is immutable and cannot be updated.`,
    ]);
  });

  it('cannot change its address', async () => {
    const { id } = await fixture.createLoadBalancer();
    expect(refusal(await put(id, { vip_address: '203.0.113.4' }))).toEqual([
      400,
      'HTTPBadRequest',
      'Cannot update read-only attribute vip_address',
    ]);
  });
});

it('an invalid or unknown id is not found, and the error names it', async () => {
  for (const id of ['one', newId()])
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/status`]) {
      const answer = await fixture.client.get(path, { token: fixture.member });
      expect(refusal(answer)).toEqual([404, 'NotFound', `Load Balancer ${id} not found.`]);
    }
});

describe('a deletion', () => {
  it('removes it, but is refused while it has parts', async () => {
    const { id } = await runTree(fixture);
    expect(refusal(await remove(id))).toEqual([
      400,
      'ValidationException',
      `Validation failure: Cannot delete Load Balancer ${id} - it has children`,
    ]);
    expect((await fixture.show(`loadbalancers/${id}`, 'loadbalancer')).provisioning_status).toBe(
      'ACTIVE',
    );
    expect((await remove(id, '?cascade=True')).status).toBe(204);
    await fixture.settle();
    const { status } = await fixture.client.get(`${PATH}/${id}`, { token: fixture.member });
    expect(status).toBe(404);
  });

  it('works in every state, and repeatedly', async () => {
    const { id } = await insertTree(fixture);
    const answers = await Promise.all([1, 2].map(() => remove(id, '?cascade=true')));
    // The second may come after the end of it.
    for (const { status } of answers) expect([204, 404]).toContain(status);
    await fixture.settle();
    expect((await remove(id, '?cascade=true')).status).toBe(404);
  });
});

describe('a list', () => {
  let ids: string[];
  const mark = newId();

  beforeAll(async () => {
    ids = [];
    for (const given of [{ tags: ['red', 'blue'] }, { tags: ['red'] }, { admin_state_up: false }]) {
      const name = `${'cab'.charAt(ids.length)}-${mark}`;
      ids.push((await fixture.createLoadBalancer({ description: mark, name, ...given })).id);
    }
  });

  it.each([
    ['', [0, 1, 2]],
    ['tags=red', [0, 1]],
    ['tags-any=blue', [0]],
    ['not-tags-any=red', [2]],
    ['admin_state_up=False', [2]],
    ['provisioning_status=ACTIVE', [0, 1, 2]],
    ['provisioning_status=ERROR', []],
    ['sort=name:desc', [0, 2, 1]],
    ['sort_key=name&sort_dir=asc', [1, 2, 0]],
    ['sort=created_at:desc', [2, 1, 0]],
    ['limit=1', [0]],
    ['limit=infinite', [0, 1, 2]],
  ])('is filtered and sorted by %s', async (query, expected) => {
    const found = await list(`description=${mark}&${query}`);
    expect(found.map(({ id }) => ids.indexOf(id))).toEqual(expected);
  });

  it('is paged in both directions', async () => {
    const { member: token, client } = fixture;
    const page = async (path: string) => {
      const { body } = await client.get(path, { token });
      const { loadbalancers, loadbalancers_links: links = [] } = body as {
        loadbalancers: Wire[];
        loadbalancers_links?: { rel: string; href: string }[];
      };
      const to = (rel: string): string =>
        links.find((one) => one.rel === rel)?.href.replace(client.baseUrl, '') ?? '';
      return { found: loadbalancers.map(({ id }) => ids.indexOf(id)), to };
    };
    const first = await page(`${PATH}?description=${mark}&limit=2`);
    expect(first.found).toEqual([0, 1]);
    const second = await page(first.to('next'));
    expect(second.found).toEqual([2]);
    expect((await page(second.to('previous'))).found).toEqual([0, 1]);
  });

  it('shows requested fields only, and only to its project', async () => {
    expect(await list(`description=${mark}&limit=1&fields=id&fields=tags`)).toEqual([
      { id: ids[0], tags: ['blue', 'red'] },
    ]);
    expect(await list(`description=${mark}`, fixture.stranger)).toEqual([]);
    expect(await list(`description=${mark}`, fixture.admin)).toHaveLength(3);
  });

  it('refuses an unknown marker', async () => {
    const { member: token } = fixture;
    const answer = await fixture.client.get(`${PATH}?limit=1&marker=nothing`, { token });
    expect(refusal(answer)).toEqual([
      400,
      'InvalidMarker',
      "Supplied pagination marker 'nothing' is not valid.",
    ]);
  });
});

describe('a load balancer shows', () => {
  it('its tree of statuses, under either path', async () => {
    const { id, listenerId, poolId, memberId } = await runTree(fixture);
    const { member: token, client } = fixture;
    const one = { provisioning_status: 'ACTIVE', operating_status: expect.any(String), name: '' };
    const members = [{ ...one, id: memberId, address: '192.0.2.7', protocol_port: 80 }];
    const pools = [{ ...one, id: poolId, members }];
    const listeners = [{ ...one, id: listenerId, pools }];
    const loadbalancer = { ...one, id, listeners };
    for (const path of ['status', 'statuses']) {
      const { body } = await client.get(`${PATH}/${id}/${path}`, { token });
      expect(body).toEqual({ statuses: { loadbalancer } });
    }
  });

  it("the sum of its listeners' statistics", async () => {
    const { id, listenerId } = await runTree(fixture);
    const { member: token, client, ctx } = fixture;
    const stats = async (path: string) => (await client.get(path, { token })).body;
    const none = { bytes_in: 0, bytes_out: 0, active_connections: 0 };
    const zero = { ...none, total_connections: 0, request_errors: 0 };
    expect(await stats(`${PATH}/${id}/stats`)).toEqual({ stats: zero });
    // The service may have looked by now, and have written down that it has carried nothing.
    await ctx.manager.query(
      `INSERT INTO listener_statistics (listener_id, load_balancer_id, bytes_in, total_connections)
       VALUES ($1, $2, 5000000000, 7)
       ON CONFLICT (listener_id) DO UPDATE SET (bytes_in, total_connections)
         = (excluded.bytes_in, excluded.total_connections)`,
      [listenerId, id],
    );
    const expected = { stats: { ...zero, bytes_in: 5_000_000_000, total_connections: 7 } };
    expect(await stats(`${PATH}/${id}/stats`)).toEqual(expected);
  });
});

describe('the security groups of a VIP port', () => {
  const isDue = async (id: string) => (await loadBalancers.get(fixture.ctx, id)).vipGroupsDue;

  it('are set again after requests to the load balancer, but not after changes of its parts', async () => {
    const { id } = await fixture.createLoadBalancer({});
    await fixture.settle();
    expect(await isDue(id)).toBe(false);
    const listener = { loadbalancer_id: id, protocol: 'TCP', protocol_port: 80 };
    const { status } = await fixture.client.post('/v2.0/lbaas/listeners', {
      token: fixture.member,
      body: { listener },
    });
    expect([status, await isDue(id)]).toEqual([201, false]);
    await fixture.settle();
    expect([(await put(id, { name: 'new' })).status, await isDue(id)]).toEqual([200, true]);
    await fixture.settle();
    await fixture.client.put(`${PATH}/${id}/failover`, { token: fixture.admin });
    expect(await isDue(id)).toBe(true);
    await fixture.settle();
    expect(await isDue(id)).toBe(false);
  });
});

describe('a failover', () => {
  it('is allowed to administrators, and applies everything again', async () => {
    const { id } = await runTree(fixture);
    const ask = (token: string) => fixture.client.put(`${PATH}/${id}/failover`, { token });
    expect((await ask(fixture.member)).status).toBe(403);
    expect((await ask(fixture.admin)).status).toBe(202);
    await fixture.settle();
    expect((await fixture.show(`loadbalancers/${id}`, 'loadbalancer')).provisioning_status).toBe(
      'ACTIVE',
    );
  });
});
