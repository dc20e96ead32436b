import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type Wire } from '../loadbalancer.fixture.js';
import { DEFAULT_CIPHERS } from '../tree/tls-options.js';
import { Parts } from '../parts/parts.fixture.js';

let parts: Parts;
let loadBalancer: Wire;

beforeAll(async () => {
  parts = new Parts(await startLoadBalancer());
  loadBalancer = await parts.fixture.createLoadBalancer();
});
afterAll(() => parts.fixture.stop());

const HTTP = { protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
const body = (fields: object = {}) => ({ loadbalancer_id: loadBalancer.id, ...HTTP, ...fields });
const create = (fields: object = {}) => parts.create('pools', 'pool', body(fields));
const refused = async (fields: object) =>
  refusal(await parts.post('pools', { pool: body(fields) }));
const show = (id: string) => parts.show(`pools/${id}`, 'pool');

describe('a new pool', () => {
  it('is shown with all its attributes, and applied', async () => {
    const asked = { name: 'one', description: 'first', tags: ['red'] };
    const made = await create(asked);
    const all = {
      ...asked,
      ...HTTP,
      id: made.id,
      admin_state_up: true,
      project_id: parts.fixture.project,
      tenant_id: parts.fixture.project,
      loadbalancers: [{ id: loadBalancer.id }],
      listeners: [],
      members: [],
      session_persistence: null,
      healthmonitor_id: null,
      tls_enabled: false,
      tls_container_ref: null,
      ca_tls_container_ref: null,
      crl_container_ref: null,
      tls_ciphers: null,
      tls_versions: [],
      alpn_protocols: [],
    };
    expect(made).toMatchObject({ ...all, provisioning_status: 'PENDING_CREATE', updated_at: null });
    expect(await show(made.id)).toMatchObject({ ...all, provisioning_status: 'ACTIVE' });
    expect(parts.spec(loadBalancer.id).pools).toContainEqual(
      expect.objectContaining({ id: made.id, protocol: 'HTTP', algorithm: 'ROUND_ROBIN' }),
    );
  });

  it('locks its load balancer until it has been applied', async () => {
    const answer = await parts.post('pools', { pool: body() });
    expect(answer.status).toBe(201);
    expect(await parts.show(`loadbalancers/${loadBalancer.id}`, 'loadbalancer')).toMatchObject({
      provisioning_status: 'PENDING_UPDATE',
    });
    expect(await refused({})).toEqual([
      409,
      'ImmutableObject',
      `Load Balancer ${loadBalancer.id} is immutable and cannot be updated.`,
    ]);
    await parts.fixture.settle();
  });

  it('becomes the default of its listener, which has only one', async () => {
    const listenerId = await parts.listener(loadBalancer, { protocolPort: 81 });
    const given = { ...HTTP, listener_id: listenerId };
    const pool = await parts.create('pools', 'pool', given);
    expect(pool).toMatchObject({ listeners: [{ id: listenerId }] });
    expect(parts.spec(loadBalancer.id).listeners).toContainEqual(
      expect.objectContaining({ id: listenerId, defaultPoolId: pool.id }),
    );
    expect(refusal(await parts.post('pools', { pool: given }))).toEqual([
      409,
      'DuplicatePoolEntry',
      'This listener already has a default pool',
    ]);
  });

  it('may be created with its members and monitor', async () => {
    const monitor = { type: 'HTTP', delay: 5, timeout: 3, max_retries: 2 };
    const made = await create({
      members: [
        { address: '192.0.2.1', protocol_port: 80, name: 'a' },
        { address: '2001:DB8::1', protocol_port: 80, weight: 0, backup: true },
      ],
      healthmonitor: monitor,
    });
    const pool = await show(made.id);
    expect(pool['members']).toHaveLength(2);
    expect(await parts.list(`pools/${made.id}/members?sort=weight:desc`)).toMatchObject([
      { name: 'a', address: '192.0.2.1', provisioning_status: 'ACTIVE', weight: 1 },
      { address: '2001:DB8::1', weight: 0, backup: true },
    ]);
    expect(
      await parts.show(`healthmonitors/${String(pool['healthmonitor_id'])}`, 'healthmonitor'),
    ).toMatchObject({ ...monitor, http_method: 'GET', pools: [{ id: made.id }] });
  });

  it('leaves nothing behind if a part is refused', async () => {
    const name = newId();
    const member = { address: '192.0.2.1', protocol_port: 80 };
    expect(await refused({ name, members: [member, member] })).toEqual([
      409,
      'DuplicateMemberEntry',
      'Another member on this pool is already using ip 192.0.2.1 on protocol_port 80',
    ]);
    const monitor = { type: 'SCTP', delay: 5, timeout: 3, max_retries: 2 };
    expect((await refused({ name, members: [member], healthmonitor: monitor }))[0]).toBe(400);
    expect(await parts.list(`pools?name=${name}`)).toEqual([]);
    expect(await parts.show(`loadbalancers/${loadBalancer.id}`, 'loadbalancer')).toMatchObject({
      provisioning_status: 'ACTIVE',
    });
  });

  it('has defaults for TLS to members', async () => {
    expect(await create({ tls_enabled: true })).toMatchObject({
      tls_enabled: true,
      tls_ciphers: DEFAULT_CIPHERS,
      tls_versions: ['TLSv1.2', 'TLSv1.3'],
      alpn_protocols: ['h2', 'http/1.1', 'http/1.0'],
    });
  });

  it.each([
    [{ protocol: 'SMTP' }, 'HTTPBadRequest', /protocol.*'SMTP' is not in/],
    [{ protocol: undefined }, 'HTTPBadRequest', /Required attribute 'protocol'/],
    [{ lb_algorithm: 'RANDOM' }, 'HTTPBadRequest', /lb_algorithm/],
    [{ colour: 'red' }, 'HTTPBadRequest', /Unrecognized attribute\(s\) 'colour'/],
    [{ members: [{ address: 'x' }] }, 'HTTPBadRequest', /members\[0\]\.address/],
    [{ healthmonitor: { type: 'X' } }, 'HTTPBadRequest', /healthmonitor\.type/],
    [{ session_persistence: { type: 'APP_COOKIE' } }, 'ValidationException', /"cookie_name" must/],
    [{ tls_versions: [] }, 'HTTPBadRequest', /name at least one TLS version/],
    [{ tls_ciphers: 'HIGH\n' }, 'HTTPBadRequest', /tls_ciphers/],
    [{ crl_container_ref: 'http://a/b' }, 'ValidationException', /CA certificate reference/],
    [{ loadbalancer_id: undefined }, 'ValidationException', /Must provide at least one of/],
    [{ project_id: 'another' }, 'ValidationException', /is of project/],
  ])('is refused: %j', async (fields, type, message) => {
    const [status, given, text] = await refused(fields);
    expect([status, given, text]).toEqual([400, type, expect.stringMatching(message)]);
  });

  it('is refused options that the provider does not support, by name', async () => {
    expect(await refused({ protocol: 'UDP' })).toEqual([
      501,
      'ProviderUnsupportedOption',
      "Provider 'haproxy' does not support a requested option: pools of protocol UDP are not supported; supported: HTTP, HTTPS, TCP, PROXY, PROXYV2.",
    ]);
  });

  it('must be compatible with its listener', async () => {
    const id = await parts.listener(loadBalancer, { protocol: 'HTTPS', protocolPort: 82 });
    expect(await refused({ loadbalancer_id: undefined, listener_id: id })).toEqual([
      400,
      'ValidationException',
      "Validation failure: The pool protocol 'HTTP' is invalid while the listener protocol is 'HTTPS'.",
    ]);
    const metrics = await parts.listener(loadBalancer, {
      protocol: 'PROMETHEUS',
      protocolPort: 83,
    });
    expect((await refused({ listener_id: metrics }))[1]).toBe('ListenerNoChildren');
    const other = await parts.listener(await parts.fixture.createLoadBalancer());
    expect((await refused({ listener_id: other }))[2]).toMatch(/is not of load balancer/);
  });

  it('needs a load balancer that the caller may see', async () => {
    const { stranger, reader } = parts.fixture;
    expect(refusal(await parts.post('pools', { pool: body() }, stranger))).toEqual([
      404,
      'NotFound',
      `Load Balancer ${loadBalancer.id} not found.`,
    ]);
    expect((await parts.post('pools', { pool: body() }, reader)).status).toBe(403);
    const listenerId = newId();
    const orphan = { pool: { ...HTTP, listener_id: listenerId } };
    expect(refusal(await parts.post('pools', orphan))).toEqual([
      404,
      'NotFound',
      `Listener ${listenerId} not found.`,
    ]);
  });
});

describe('a change', () => {
  const put = (id: string, pool: object) => parts.put(`pools/${id}`, { pool });

  it('is applied, and puts its listener into PENDING_UPDATE', async () => {
    const listenerId = await parts.listener(loadBalancer, { protocolPort: 84 });
    const { id } = await create({ loadbalancer_id: undefined, listener_id: listenerId });
    const answer = await put(id, { name: 'after', lb_algorithm: 'LEAST_CONNECTIONS' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { pool: { name: 'after', provisioning_status: 'PENDING_UPDATE' } },
    ]);
    const status = async () =>
      (
        await parts.fixture.ctx.manager.query<{ provisioning_status: string }[]>(
          'SELECT provisioning_status FROM listeners WHERE id = $1',
          [listenerId],
        )
      )[0]?.provisioning_status;
    expect(await status()).toBe('PENDING_UPDATE');
    await parts.fixture.settle();
    expect(await status()).toBe('ACTIVE');
    expect(parts.spec(loadBalancer.id).pools).toContainEqual(
      expect.objectContaining({ id, algorithm: 'LEAST_CONNECTIONS' }),
    );
  });

  it('replaces session persistence entirely, and null removes it', async () => {
    const cookie = { type: 'APP_COOKIE', cookie_name: 'session' };
    const { id } = await create({ session_persistence: cookie });
    const change = async (session_persistence: object | null) => {
      expect((await put(id, { session_persistence })).status).toBe(200);
      await parts.fixture.settle();
      return (await show(id))['session_persistence'];
    };
    const nothing = { persistence_timeout: null, persistence_granularity: null };
    expect((await show(id))['session_persistence']).toEqual({ ...nothing, ...cookie });
    expect(await change({ cookie_name: 'other' })).toMatchObject({
      ...cookie,
      cookie_name: 'other',
    });
    expect(await change({ type: 'HTTP_COOKIE' })).toMatchObject({
      type: 'HTTP_COOKIE',
      cookie_name: null,
    });
    expect(await change(null)).toBeNull();
  });

  it.each([
    [{ protocol: 'TCP' }, /Cannot update read-only attribute protocol/],
    [{ loadbalancer_id: newId() }, /Cannot update read-only attribute loadbalancer_id/],
    [{ members: [] }, /Cannot update read-only attribute members/],
    [{ session_persistence: { type: 'APP_COOKIE' } }, /"cookie_name" must be specified/],
    [{ crl_container_ref: 'http://a/b' }, /CA certificate reference/],
  ])('is refused: %j', async (fields, message) => {
    const { id } = await create();
    const before = await show(id);
    const [status, , text] = refusal(await put(id, fields));
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
    expect(await show(id)).toEqual({ ...before, provisioning_status: 'ACTIVE' });
  });
});

it('one of two concurrent changes succeeds, and the other is refused', async () => {
  const { id } = await create();
  const [one, other] = await Promise.all(
    ['a', 'b'].map((name) => parts.put(`pools/${id}`, { pool: { name } })),
  );
  expect([one?.status, other?.status].sort()).toEqual([200, 409]);
  await parts.fixture.settle();
  expect((await show(id))['name']).toBe(one?.status === 200 ? 'a' : 'b');
});

it('a pool is in ERROR with its load balancer until a later change can be applied', async () => {
  const { id } = await create();
  parts.fixture.dataPlane.failures.push(new DomainError('invalid', 'no such cipher'));
  await parts.put(`pools/${id}`, { pool: { name: 'broken' } });
  await parts.fixture.settle();
  expect(await show(id)).toMatchObject({ provisioning_status: 'ERROR' });
  const other = await create();
  for (const one of [id, other.id])
    expect(await show(one)).toMatchObject({ provisioning_status: 'ACTIVE' });
});

it('the secrets of a pool must be usable', async () => {
  const ref = `http://localhost/v1/containers/${newId()}`;
  expect((await refused({ tls_enabled: true, tls_container_ref: ref })).slice(0, 2)).toEqual([
    400,
    'CertificateRetrievalException',
  ]);
  const { id } = await create();
  const answer = await parts.put(`pools/${id}`, { pool: { ca_tls_container_ref: ref } });
  expect(refusal(answer)[1]).toBe('CertificateRetrievalException');
  expect(await show(id)).toMatchObject({ ca_tls_container_ref: null });
});

describe('a deleted pool', () => {
  it('is PENDING_DELETE with its parts until the load balancer runs without it', async () => {
    const { id } = await create({ members: [{ address: '192.0.2.1', protocol_port: 80 }] });
    expect((await parts.delete(`pools/${id}`)).status).toBe(204);
    expect(await show(id)).toMatchObject({ provisioning_status: 'PENDING_DELETE' });
    expect(await parts.list(`pools/${id}/members`)).toMatchObject([
      { provisioning_status: 'PENDING_DELETE' },
    ]);
    await parts.fixture.settle();
    expect(refusal(await parts.get(`pools/${id}`))).toEqual([
      404,
      'NotFound',
      `Pool ${id} not found.`,
    ]);
    expect(parts.spec(loadBalancer.id).pools.map((pool) => pool.id)).not.toContain(id);
  });

  it('leaves its listener without a default', async () => {
    const listenerId = await parts.listener(loadBalancer, { protocolPort: 85 });
    const { id } = await create({ loadbalancer_id: undefined, listener_id: listenerId });
    await parts.delete(`pools/${id}`);
    await parts.fixture.settle();
    expect(parts.spec(loadBalancer.id).listeners).toContainEqual(
      expect.objectContaining({ id: listenerId, defaultPoolId: null }),
    );
  });

  it('must not be used by a policy', async () => {
    const listenerId = await parts.listener(loadBalancer, { protocolPort: 86 });
    const { id } = await create();
    const policy = await parts.create('l7policies', 'l7policy', {
      listener_id: listenerId,
      action: 'REDIRECT_TO_POOL',
      redirect_pool_id: id,
    });
    expect(refusal(await parts.delete(`pools/${id}`))).toEqual([
      409,
      'PoolInUseByL7Policy',
      `Pool ${id} is in use by L7 policy ${policy.id}`,
    ]);
    await parts.delete(`l7policies/${policy.id}`);
    await parts.fixture.settle();
    expect((await parts.delete(`pools/${id}`)).status).toBe(204);
    await parts.fixture.settle();
  });
});

describe('the list of pools', () => {
  it('shows the pools of the project, by load balancer, attribute and tag', async () => {
    const other = await parts.fixture.createLoadBalancer();
    const mine = { loadbalancer_id: other.id };
    const red = await create({ ...mine, tags: ['red', 'blue'], name: 'red' });
    const tcp = await create({ ...mine, protocol: 'TCP', name: 'tcp' });
    const of = async (query: string, token?: string) =>
      (await parts.list(`pools?loadbalancer_id=${other.id}${query}`, token)).map(({ id }) => id);
    expect(await of('')).toEqual([red.id, tcp.id]);
    expect(await of('&protocol=TCP')).toEqual([tcp.id]);
    expect(await of('&tags=red')).toEqual([red.id]);
    expect(await of('&sort=name:desc')).toEqual([tcp.id, red.id]);
    expect(await of('', parts.fixture.admin)).toEqual([red.id, tcp.id]);
    expect(await of('', parts.fixture.stranger)).toEqual([]);
    expect(await parts.list(`pools?id=${red.id}&fields=name`)).toEqual([{ name: 'red' }]);
  });
});
