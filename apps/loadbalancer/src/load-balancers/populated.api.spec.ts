/** Load balancers that are created with all that they have, in one request. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import {
  refusal,
  startLoadBalancer,
  type LoadBalancerFixture,
  type Wire,
} from '../loadbalancer.fixture.js';
import { holdBack } from '../parts/hold-back.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = holdBack(await startLoadBalancer());
});
afterAll(() => fixture.stop());

const PATH = '/v2.0/lbaas/loadbalancers';

const post = (given: object, token = fixture.member): Promise<TestResponse> => {
  const loadbalancer = { vip_subnet_id: fixture.networks.subnet.id, ...given };
  return fixture.client.post(PATH, { token, body: { loadbalancer } });
};

/** How many rows of each kind the project has. */
async function counts(project = fixture.project): Promise<Record<string, number>> {
  const tables = ['load_balancers', 'listeners', 'pools', 'members', 'l7_policies', 'l7_rules'];
  const found = await Promise.all(
    tables.map(async (table): Promise<[string, number]> => {
      const [{ count }]: [{ count: number }] = await fixture.ctx.manager.query(
        `SELECT count(*)::int AS count FROM ${table} WHERE project_id = $1`,
        [project],
      );
      return [table, count];
    }),
  );
  return Object.fromEntries(found);
}

const member = (address: string): object => ({ address, protocol_port: 80 });
const pool = (name: string, more: object = {}): object => ({
  name,
  protocol: 'HTTP',
  lb_algorithm: 'ROUND_ROBIN',
  ...more,
});
const monitor = { type: 'HTTP', delay: 3, timeout: 2, max_retries: 2, url_path: '/up' };
const listener = (protocol_port: number, more: object = {}): object => ({
  name: `at ${protocol_port}`,
  protocol: 'HTTP',
  protocol_port,
  ...more,
});

const WHOLE = {
  name: 'whole',
  listeners: [
    listener(80, {
      default_pool: pool('blue', {
        members: [member('192.0.2.1'), member('192.0.2.2')],
        healthmonitor: monitor,
      }),
      l7policies: [
        {
          action: 'REDIRECT_TO_POOL',
          redirect_pool: { name: 'green' },
          rules: [{ type: 'PATH', compare_type: 'STARTS_WITH', value: '/green' }],
        },
        { action: 'REDIRECT_TO_URL', redirect_url: 'https://example.com/' },
        { action: 'REDIRECT_TO_POOL', redirect_pool: pool('red') },
      ],
    }),
    listener(81, { default_pool: { name: 'blue' } }),
    listener(82),
  ],
  pools: [pool('green', { members: [member('192.0.2.3')] })],
};

describe('a fully populated load balancer', () => {
  it('is created and applied as a whole in one transaction, and returned as a whole', async () => {
    const { status, body, text } = await post(WHOLE);
    expect([status, text]).toEqual([201, text]);
    const { loadbalancer } = body as { loadbalancer: Wire };
    const pending = { provisioning_status: 'PENDING_CREATE' };
    expect(loadbalancer).toMatchObject({
      ...pending,
      vip_address: expect.any(String),
      listeners: expect.arrayContaining([
        expect.objectContaining({
          ...pending,
          protocol_port: 80,
          l7policies: [
            expect.objectContaining({
              position: 1,
              rules: [expect.objectContaining({ value: '/green' })],
            }),
            expect.objectContaining({ position: 2, redirect_url: 'https://example.com/' }),
            expect.objectContaining({ position: 3, redirect_pool_id: expect.any(String) }),
          ],
        }),
      ]),
      pools: expect.arrayContaining([
        expect.objectContaining({
          name: 'blue',
          members: [
            expect.objectContaining({ protocol_port: 80 }),
            expect.objectContaining({ protocol_port: 80 }),
          ],
          healthmonitor: expect.objectContaining({ url_path: '/up' }),
        }),
        expect.objectContaining({ name: 'green', healthmonitor: null }),
      ]),
    });
    await fixture.settle();
    const spec = fixture.dataPlane.running.get(loadbalancer.id)?.spec;
    const idOf = (name: string): unknown =>
      (loadbalancer['pools'] as Wire[]).find((one) => one['name'] === name)?.id;
    const byPort = (port: number) => spec?.listeners.find((one) => one.port === port);
    expect(byPort(80)).toMatchObject({
      defaultPoolId: idOf('blue'),
      policies: [
        { action: { poolId: idOf('green') }, rules: [{ value: '/green' }] },
        { action: { url: 'https://example.com/' } },
        { action: { poolId: idOf('red') } },
      ],
    });
    expect(byPort(81)?.defaultPoolId).toBe(idOf('blue'));
    expect(byPort(82)?.defaultPoolId).toBe(null);
    const shown = await fixture.show(`loadbalancers/${loadbalancer.id}`, 'loadbalancer');
    expect(shown.provisioning_status).toBe('ACTIVE');
    expect(shown['pools']).toHaveLength(3);
  });

  it('is not created if any part is refused', async () => {
    const before = await counts();
    const twice = { ...WHOLE, listeners: [...WHOLE.listeners, listener(80)] };
    expect(refusal(await post(twice))).toEqual([
      409,
      'DuplicateListenerEntry',
      expect.stringContaining('is already using protocol HTTP and protocol_port 80'),
    ]);
    expect(await counts()).toEqual(before);
  });

  it('counts against all its quotas, or none', async () => {
    const projectId = newId();
    const token = await fixture.tokens.issue(['member'], { projectId });
    const quota = { member: 2 };
    await fixture.client.put(`/v2.0/lbaas/quotas/${projectId}`, {
      token: fixture.admin,
      body: { quota },
    });
    const answer = await post(WHOLE, token);
    const [status, type, message] = refusal(answer);
    expect([status, type]).toEqual([403, 'OverQuota']);
    expect(message).toContain('member');
    expect(Object.values(await counts(projectId))).toEqual([0, 0, 0, 0, 0, 0]);
    const fewer = { ...WHOLE, pools: [pool('green')] };
    expect((await post(fewer, token)).status).toBe(201);
    await fixture.settle();
  });

  it('may have thousands of members', async () => {
    const members = Array.from({ length: 5_000 }, (_, at) => ({
      name: `member ${at}`.padEnd(200, '.'),
      ...member(`198.18.${Math.floor(at / 250)}.${at % 250}`),
    }));
    const { status, body } = await post({ pools: [pool('many', { members })] });
    expect(status).toBe(201);
    const [made] = (body as { loadbalancer: { pools: Wire[] } }).loadbalancer.pools;
    expect(made?.['members']).toHaveLength(5_000);
    await fixture.settle();
  });

  it('is deleted as a whole', async () => {
    const { body } = await post(WHOLE);
    const { id } = (body as { loadbalancer: Wire }).loadbalancer;
    await fixture.settle();
    const { member: token, client } = fixture;
    expect((await client.delete(`${PATH}/${id}`, { token })).status).toBe(400);
    expect((await client.delete(`${PATH}/${id}?cascade=true`, { token })).status).toBe(204);
    await fixture.settle();
    const left: unknown[] = await fixture.ctx.manager.query(
      `SELECT FROM listeners WHERE load_balancer_id = $1 UNION ALL
       SELECT FROM members WHERE load_balancer_id = $1`,
      [id],
    );
    expect(left).toEqual([]);
  });
});

describe('a fully populated load balancer is refused for', () => {
  const invalid = (detail: string): unknown[] => [
    'ValidationException',
    `Validation failure: ${detail}`,
  ];

  it.each<[string, object, unknown[]]>([
    [
      'a pool without a name',
      { listeners: [listener(80, { default_pool: pool('') })] },
      invalid('Pools must be named when creating a fully populated loadbalancer.'),
    ],
    [
      'two pools with the same name',
      { listeners: [listener(80, { default_pool: pool('a') })], pools: [pool('a')] },
      invalid('Pool names must be unique when creating a fully populated loadbalancer.'),
    ],
    [
      'a reference to an unknown pool',
      { listeners: [listener(80, { default_pool: { name: 'b' } })] },
      invalid("Pool 'b' was referenced but no full definition was found."),
    ],
    [
      'incompatible protocols',
      { listeners: [listener(80, { protocol: 'HTTPS', default_pool: pool('a') })] },
      invalid("The pool protocol 'HTTP' is invalid while the listener protocol is 'HTTPS'."),
    ],
    [
      'networks of an IP version other than the address will have',
      { listeners: [listener(80, { allowed_cidrs: ['2001:db8::/32'] })] },
      [
        'ValidationException',
        expect.stringContaining('CIDR 2001:db8::/32 IP version incompatible with all VIPs'),
      ],
    ],
    [
      'a nested error, by its path',
      { listeners: [listener(80, { default_pool: pool('a', { protocol: 'GOPHER' }) })] },
      [
        'HTTPBadRequest',
        expect.stringContaining(
          "Invalid input for listeners[0].default_pool.protocol. Reason: 'GOPHER' is not in",
        ),
      ],
    ],
    [
      'a missing attribute',
      { pools: [pool('a', { members: [member('192.0.2.1'), { address: '192.0.2.2' }] })] },
      [
        'HTTPBadRequest',
        "Failed to parse request. Required attribute 'pools[0].members[1].protocol_port' not specified",
      ],
    ],
    [
      'an attribute that its parent determines',
      { listeners: [listener(80, { loadbalancer_id: newId() })] },
      ['HTTPBadRequest', "Unrecognized attribute(s) 'listeners[0].loadbalancer_id'"],
    ],
  ])('%s', async (_, given, expected) => {
    const before = await counts();
    expect(refusal(await post(given))).toEqual([400, ...expected]);
    expect(await counts()).toEqual(before);
  });

  it('an option that its provider does not support', async () => {
    expect(refusal(await post({ listeners: [listener(53, { protocol: 'UDP' })] }))).toEqual([
      501,
      'ProviderUnsupportedOption',
      expect.stringContaining('listeners of protocol UDP are not supported.'),
    ]);
  });

  it('a metrics listener with children', async () => {
    const l7policies = [{ action: 'REJECT' }];
    for (const more of [{ default_pool: pool('a') }, { l7policies }])
      expect(
        refusal(await post({ listeners: [listener(80, { protocol: 'PROMETHEUS', ...more })] })),
      ).toEqual([
        400,
        'ListenerNoChildren',
        'Protocol PROMETHEUS listeners cannot have child objects.',
      ]);
  });

  it('a member on the host if the VIP will be on the host too', async () => {
    const networkId = fixture.networks.addNetwork({ isExternal: true }).id;
    const subnet = fixture.networks.addSubnet({ networkId, cidr: '127.90.0.0/16' });
    const pools = [pool('a', { members: [member('127.0.0.1')] })];
    const answer = await post({ vip_subnet_id: subnet.id, pools });
    expect(refusal(answer)).toEqual([
      400,
      'ValidationException',
      expect.stringContaining('A member cannot be at 127.0.0.1'),
    ]);
  });
});

it('a listener may bring its pool and policies', async () => {
  const { id: loadbalancer_id } = await fixture.createLoadBalancer();
  const { status, body } = await fixture.client.post('/v2.0/lbaas/listeners', {
    token: fixture.member,
    body: {
      listener: { loadbalancer_id, ...WHOLE.listeners[0], l7policies: [{ action: 'REJECT' }] },
    },
  });
  expect(status).toBe(201);
  await fixture.settle();
  expect((body as { listener: Wire }).listener['l7policies']).toHaveLength(1);
  const spec = fixture.dataPlane.running.get(loadbalancer_id)?.spec;
  expect(spec?.pools).toMatchObject([{ members: [{}, {}], monitor: { type: 'HTTP' } }]);
  expect(spec?.listeners).toMatchObject([{ defaultPoolId: spec?.pools[0]?.id }]);
});
