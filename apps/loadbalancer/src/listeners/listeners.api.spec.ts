import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isGiven } from '@cumulet/common/resources/attribute';
import { attributesOf } from '@cumulet/common/resources/resource';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import {
  refusal,
  startLoadBalancer,
  type LoadBalancerFixture,
  type Wire,
} from '../loadbalancer.fixture.js';
import { holdBack } from '../parts/hold-back.fixture.js';
import { listenerResource } from './listener.resource.js';
import { insertTree, pools, runTree } from '../tree/tree.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = holdBack(await startLoadBalancer());
});
afterAll(() => fixture.stop());

const PATH = '/v2.0/lbaas/listeners';

const post = (listener: object, token = fixture.member): Promise<TestResponse> =>
  fixture.client.post(PATH, { token, body: { listener } });

const put = (id: string, listener: object, token = fixture.member): Promise<TestResponse> =>
  fixture.client.put(`${PATH}/${id}`, { token, body: { listener } });

const show = (id: string): Promise<Wire> => fixture.show(`listeners/${id}`, 'listener');

async function create(listener: object): Promise<Wire> {
  const answer = await post(listener);
  if (answer.status !== 201) throw new Error(answer.text);
  await fixture.settle();
  return show((answer.body as { listener: Wire }).listener.id);
}

const invalid = (detail: string): unknown[] => [
  400,
  'ValidationException',
  `Validation failure: ${detail}`,
];

describe('a new listener', () => {
  it('shows every attribute with its default, and runs once its load balancer is applied', async () => {
    const { id: loadbalancer_id } = await fixture.createLoadBalancer();
    const { status, body } = await post({ loadbalancer_id, protocol: 'HTTP', protocol_port: 80 });
    const { listener } = body as { listener: Wire };
    expect([status, listener]).toEqual([
      201,
      {
        id: listener.id,
        project_id: fixture.project,
        tenant_id: fixture.project,
        name: '',
        description: '',
        tags: [],
        admin_state_up: true,
        provisioning_status: 'PENDING_CREATE',
        operating_status: 'OFFLINE',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
        updated_at: null,
        protocol: 'HTTP',
        protocol_port: 80,
        connection_limit: -1,
        default_pool_id: null,
        l7policies: [],
        loadbalancers: [{ id: loadbalancer_id }],
        allowed_cidrs: null,
        insert_headers: {},
        timeout_client_data: 50_000,
        timeout_member_connect: 5_000,
        timeout_member_data: 50_000,
        timeout_tcp_inspect: 0,
        default_tls_container_ref: null,
        sni_container_refs: [],
        client_authentication: 'NONE',
        client_ca_tls_container_ref: null,
        client_crl_container_ref: null,
        tls_ciphers: null,
        tls_versions: [],
        alpn_protocols: [],
        hsts_max_age: null,
        hsts_include_subdomains: false,
        hsts_preload: false,
      },
    ]);
    const tree = await fixture.show(`loadbalancers/${loadbalancer_id}`, 'loadbalancer');
    expect(tree).toMatchObject({ listeners: [{ id: listener.id }] });
    await fixture.settle();
    expect(await show(listener.id)).toMatchObject({
      provisioning_status: 'ACTIVE',
      updated_at: expect.any(String),
    });
    const [running] = fixture.dataPlane.running.get(loadbalancer_id)?.spec.listeners ?? [];
    expect(running).toMatchObject({ id: listener.id, port: 80 });
  });

  it('keeps all attributes that it is given', async () => {
    const { id: loadbalancer_id } = await fixture.createLoadBalancer();
    const given = {
      protocol: 'HTTP',
      protocol_port: 8080,
      name: 'web',
      connection_limit: 100,
      admin_state_up: false,
      tags: ['red'],
      description: 'first',
      insert_headers: { 'X-Forwarded-For': 'true', 'X-Forwarded-Port': 'False' },
      timeout_client_data: 1,
      timeout_member_connect: 2,
      timeout_member_data: 3,
      timeout_tcp_inspect: 4,
    };
    const made = await create({ loadbalancer_id, ...given, allowed_cidrs: ['10.1.2.3/8'] });
    expect(made).toMatchObject({ ...given, allowed_cidrs: ['10.0.0.0/8'] });
    const [running] = fixture.dataPlane.running.get(loadbalancer_id)?.spec.listeners ?? [];
    expect(running?.insertHeaders).toEqual(['X-Forwarded-For']);
  });

  it('is refused a port that another one uses, with the same transport', async () => {
    const { id: loadbalancer_id } = await fixture.createLoadBalancer();
    await create({ loadbalancer_id, protocol: 'HTTP', protocol_port: 80 });
    for (const protocol of ['TCP', 'HTTPS', 'PROMETHEUS'])
      expect(refusal(await post({ loadbalancer_id, protocol, protocol_port: 80 }))).toEqual([
        409,
        'DuplicateListenerEntry',
        `Another Listener on this Load Balancer is already using protocol ${protocol} and protocol_port 80`,
      ]);
    const { provisioning_status: status } = await fixture.show(
      `loadbalancers/${loadbalancer_id}`,
      'loadbalancer',
    );
    expect(status).toBe('ACTIVE');
  });

  it('of UDP or SCTP is refused for HAProxy', async () => {
    const { id: loadbalancer_id } = await fixture.createLoadBalancer();
    for (const protocol of ['UDP', 'SCTP'])
      expect(refusal(await post({ loadbalancer_id, protocol, protocol_port: 53 }))).toEqual([
        501,
        'ProviderUnsupportedOption',
        `Provider 'haproxy' does not support a requested option: listeners of protocol ${protocol} are not supported.`,
      ]);
  });

  it('of UDP may share its port with one of TCP', async () => {
    const { id: loadbalancer_id } = await insertTree(fixture, {
      provider: 'ovn',
      state: 'active',
    });
    for (const table of ['listeners', 'pools'])
      await fixture.ctx.manager.query(`DELETE FROM ${table} WHERE load_balancer_id = $1`, [
        loadbalancer_id,
      ]);
    for (const protocol of ['UDP', 'TCP', 'SCTP']) {
      await fixture.ctx.manager.query(`UPDATE load_balancers SET state = 'active' WHERE id = $1`, [
        loadbalancer_id,
      ]);
      const { status, text } = await post({ loadbalancer_id, protocol, protocol_port: 53 });
      expect([status, text]).toEqual([201, text]);
    }
    await fixture.settle();
  });

  it('is refused if its load balancer is changing or missing', async () => {
    const { id: loadbalancer_id } = await insertTree(fixture);
    const asked = { protocol: 'HTTP', protocol_port: 8080 };
    expect(refusal(await post({ loadbalancer_id, ...asked }))).toEqual([
      409,
      'ImmutableObject',
      `Load Balancer ${loadbalancer_id} is immutable and cannot be updated.`,
    ]);
    const none = randomUUID();
    for (const [id, token] of [
      [none, fixture.member],
      [loadbalancer_id, fixture.stranger],
    ] as const) {
      const answer = await post({ loadbalancer_id: id, ...asked }, token);
      expect(refusal(answer)).toEqual([404, 'NotFound', `Load Balancer ${id} not found.`]);
    }
  });

  it('belongs to the project of its load balancer, whoever creates it', async () => {
    const { id: loadbalancer_id } = await fixture.createLoadBalancer();
    const asked = { loadbalancer_id, protocol: 'HTTP', protocol_port: 80 };
    const project_id = newId();
    const answer = await post({ ...asked, project_id }, fixture.admin);
    expect(refusal(answer)).toEqual(
      invalid(
        `Load Balancer ${loadbalancer_id} is of project ${fixture.project}, not of ${project_id}.`,
      ),
    );
    const { body } = await post({ ...asked, tenant_id: fixture.project }, fixture.admin);
    expect((body as { listener: Wire }).listener.project_id).toBe(fixture.project);
  });
});

describe('a change', () => {
  it('locks the load balancer, and null restores a default', async () => {
    const { listenerId, id, poolId } = await runTree(fixture);
    const given = {
      connection_limit: 5,
      name: 'web',
      insert_headers: { 'X-Forwarded-For': 'true' },
    };
    const { status, body } = await put(listenerId, given);
    expect([status, body]).toMatchObject([
      200,
      { listener: { ...given, provisioning_status: 'PENDING_UPDATE', default_pool_id: poolId } },
    ]);
    expect(refusal(await put(listenerId, { name: 'late' }))).toEqual([
      409,
      'ImmutableObject',
      `Load Balancer ${id} is immutable and cannot be updated.`,
    ]);
    await fixture.settle();
    const nothing = { connection_limit: null, name: null, insert_headers: null };
    expect((await put(listenerId, { ...nothing, default_pool_id: null })).status).toBe(200);
    await fixture.settle();
    expect(await show(listenerId)).toMatchObject({
      connection_limit: -1,
      name: '',
      insert_headers: {},
      default_pool_id: null,
      provisioning_status: 'ACTIVE',
      updated_at: expect.any(String),
    });
    expect(fixture.dataPlane.running.get(id)?.spec.listeners).toMatchObject([
      { connectionLimit: null, defaultPoolId: null },
    ]);
  });

  it('cannot change the protocol or port, and is validated with the existing attributes', async () => {
    const { listenerId } = await runTree(fixture);
    expect(refusal(await put(listenerId, { protocol_port: 81 }))).toEqual([
      400,
      'HTTPBadRequest',
      'Cannot update read-only attribute protocol_port',
    ]);
    expect(refusal(await put(listenerId, { client_authentication: 'OPTIONAL' }))).toEqual(
      invalid('Client authentication setting OPTIONAL requires a client CA container reference.'),
    );
    expect((await show(listenerId)).provisioning_status).toBe('ACTIVE');
  });
});

it('null is accepted for every attribute that can change, as clients send it', async () => {
  const { listenerId } = await runTree(fixture);
  const names = attributesOf(listenerResource).flatMap(([name, one]) =>
    isGiven(one, 'after-creation') ? [name] : [],
  );
  expect(names).toContain('sni_container_refs');
  const answer = await put(listenerId, Object.fromEntries(names.map((name) => [name, null])));
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      listener: {
        name: '',
        description: '',
        tags: [],
        admin_state_up: false,
        connection_limit: -1,
        timeout_client_data: 50_000,
        sni_container_refs: [],
        allowed_cidrs: null,
        client_authentication: 'NONE',
        hsts_max_age: null,
        tls_ciphers: null,
        tls_versions: [],
        alpn_protocols: [],
      },
    },
  ]);
  await fixture.settle();
});

describe('a deletion', () => {
  it('is visible until it is applied, and frees the port immediately', async () => {
    const { listenerId, id } = await runTree(fixture);
    const { member: token } = fixture;
    const remove = () => fixture.client.delete(`${PATH}/${listenerId}`, { token });
    expect((await remove()).status).toBe(204);
    expect((await show(listenerId)).provisioning_status).toBe('PENDING_DELETE');
    expect((await remove()).status).toBe(409);
    await fixture.settle();
    expect((await remove()).status).toBe(404);
    expect(fixture.dataPlane.running.get(id)?.spec.listeners).toEqual([]);
    const made = await create({ loadbalancer_id: id, protocol: 'HTTP', protocol_port: 80 });
    expect(made.provisioning_status).toBe('ACTIVE');
  });
});

describe('a list', () => {
  it('is filtered by any attribute, and by load balancer in either spelling', async () => {
    const { listenerId, id } = await runTree(fixture);
    const other = await runTree(fixture);
    const list = async (query: string, token = fixture.member): Promise<string[]> => {
      const { body } = await fixture.client.get(`${PATH}?${query}`, { token });
      return (body as { listeners: Wire[] }).listeners.map((one) => one.id);
    };
    for (const name of ['loadbalancer_id', 'load_balancer_id'])
      expect(await list(`${name}=${id}`)).toEqual([listenerId]);
    expect(await list(`id=${listenerId}&id=${other.listenerId}&protocol=HTTP`)).toEqual([
      listenerId,
      other.listenerId,
    ]);
    expect(await list(`id=${listenerId}&protocol_port=81`)).toEqual([]);
    expect(await list(`id=${listenerId}`, fixture.stranger)).toEqual([]);
  });
});

describe('quotas', () => {
  it('count listeners that are not being deleted', async () => {
    const { id: loadbalancer_id, listenerId } = await runTree(fixture);
    const { admin, member, client, project } = fixture;
    const ctx: RequestContext = fixture.ctx;
    const [{ count }]: [{ count: number }] = await ctx.manager.query(
      'SELECT count(*)::int AS count FROM listeners WHERE project_id = $1',
      [project],
    );
    const set = (listener: number) =>
      client.put(`/v2.0/lbaas/quotas/${project}`, { token: admin, body: { quota: { listener } } });
    expect((await set(count)).status).toBeLessThan(300);
    const ask = () => post({ loadbalancer_id, protocol: 'HTTP', protocol_port: 8081 });
    const [status, type] = refusal(await ask());
    expect([status, type]).toEqual([413, 'OverQuota']);
    await client.delete(`${PATH}/${listenerId}`, { token: member });
    await fixture.settle();
    expect((await ask()).status).toBe(201);
    await set(-1);
    await fixture.settle();
  });
});

it('a listener shows its statistics', async () => {
  const { listenerId } = await runTree(fixture);
  const path = `${PATH}/${listenerId}/stats`;
  const { body } = await fixture.client.get(path, { token: fixture.member });
  expect(body).toMatchObject({ stats: { bytes_in: 0, total_connections: 0 } });
  const { status } = await fixture.client.get(path, { token: fixture.stranger });
  expect(status).toBe(404);
});

it('deleting a listener keeps its default pool', async () => {
  const { listenerId, poolId } = await runTree(fixture);
  await fixture.client.delete(`${PATH}/${listenerId}`, { token: fixture.member });
  await fixture.settle();
  expect(await pools.find(fixture.ctx, poolId)).toBeDefined();
});
