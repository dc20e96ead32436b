import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type Wire } from '../loadbalancer.fixture.js';
import { Parts } from '../parts/parts.fixture.js';

let parts: Parts;
let loadBalancer: Wire;
let listenerId: string;
let poolId: string;

beforeAll(async () => {
  parts = new Parts(await startLoadBalancer());
  loadBalancer = await parts.fixture.createLoadBalancer();
  listenerId = await newListener();
  poolId = await newPool();
});
afterAll(() => parts.fixture.stop());

let last = 0;
const newListener = (fields: object = {}) =>
  parts.listener(loadBalancer, { protocolPort: (last += 1), ...fields });

async function newPool(fields: object = {}): Promise<string> {
  const of = { loadbalancer_id: loadBalancer.id, protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
  return (await parts.create('pools', 'pool', { ...of, ...fields })).id;
}

const REJECT = { action: 'REJECT' };
const create = (fields: object = {}) =>
  parts.create('l7policies', 'l7policy', { ...REJECT, listener_id: listenerId, ...fields });
const refused = async (fields: object) =>
  refusal(
    await parts.post('l7policies', {
      l7policy: { ...REJECT, listener_id: listenerId, ...fields },
    }),
  );
const put = (id: string, l7policy: object) => parts.put(`l7policies/${id}`, { l7policy });
const show = (id: string) => parts.show(`l7policies/${id}`, 'l7policy');
const specOf = (id: string) =>
  parts.spec(loadBalancer.id).listeners.find((one) => one.id === id)?.policies ?? [];
const RULE = { type: 'PATH', compare_type: 'STARTS_WITH', value: '/api' };

describe('a new policy', () => {
  it('is shown with all its attributes, and applied with its rules', async () => {
    const listener_id = await newListener();
    const asked = {
      listener_id,
      name: 'one',
      description: 'first',
      tags: ['red'],
      action: 'REDIRECT_TO_URL',
      redirect_url: 'https://www.example.com/a?b=c',
    };
    const made = await create({ ...asked, rules: [RULE, { ...RULE, invert: true }] });
    const all = {
      ...asked,
      admin_state_up: true,
      position: 1,
      redirect_http_code: 302,
      redirect_pool_id: null,
      redirect_prefix: null,
      project_id: parts.fixture.project,
    };
    expect(made).toMatchObject({ ...all, provisioning_status: 'PENDING_CREATE' });
    const shown = await show(made.id);
    expect(shown).toMatchObject({ ...all, provisioning_status: 'ACTIVE' });
    expect(shown['rules']).toHaveLength(2);
    expect(specOf(listener_id)).toMatchObject([
      {
        id: made.id,
        action: { type: 'REDIRECT_TO_URL', url: asked.redirect_url, code: 302 },
        rules: [{ type: 'PATH' }, { type: 'PATH' }],
      },
    ]);
  });

  it('redirects to a pool, which then shows the listener', async () => {
    const listener_id = await newListener();
    const pool = await newPool();
    const made = await create({
      listener_id,
      action: 'REDIRECT_TO_POOL',
      redirect_pool_id: pool,
      rules: [RULE],
    });
    expect(await parts.show(`pools/${pool}`, 'pool')).toMatchObject({
      listeners: [{ id: listener_id }],
    });
    expect(made).toMatchObject({ redirect_pool_id: pool, redirect_http_code: null });
    expect(specOf(listener_id)).toMatchObject([{ action: { poolId: pool } }]);
  });

  it('redirects by prefix with the requested status code', async () => {
    const prefix = { action: 'REDIRECT_PREFIX', redirect_prefix: 'https://a.example' };
    expect(await create({ ...prefix, redirect_http_code: 308 })).toMatchObject({
      ...prefix,
      redirect_http_code: 308,
    });
  });

  it.each([
    [{ action: undefined }, 'HTTPBadRequest', /Required attribute 'action'/],
    [{ action: 'DROP' }, 'HTTPBadRequest', /action.*'DROP' is not in/],
    [{ action: 'REDIRECT_TO_URL' }, 'InvalidL7PolicyArgs', /redirect_url must not be None/],
    [{ action: 'REDIRECT_PREFIX' }, 'InvalidL7PolicyArgs', /redirect_prefix must not be None/],
    [{ action: 'REDIRECT_TO_POOL' }, 'InvalidL7PolicyArgs', /redirect_pool_id must not be None/],
    [{ redirect_url: 'http://a/"' }, 'HTTPBadRequest', /redirect_url.*not a valid URL/],
    [{ redirect_url: 'http://a/\nb' }, 'HTTPBadRequest', /redirect_url.*not a valid URL/s],
    [{ redirect_prefix: 'http://a/#b' }, 'HTTPBadRequest', /redirect_prefix.*not a valid URL/],
    [{ redirect_http_code: 304 }, 'HTTPBadRequest', /redirect_http_code/],
    [{ position: 0 }, 'HTTPBadRequest', /position.*too small/],
    [
      { rules: [{ ...RULE, value: '(', compare_type: 'REGEX' }] },
      'L7RuleValidation',
      /missing '\)'/,
    ],
    [{ rules: [{ type: 'PATH' }] }, 'HTTPBadRequest', /rules\[0\]\.compare_type/],
  ])('is refused: %j', async (fields, type, message) => {
    const before = await parts.list(`l7policies?listener_id=${listenerId}`);
    expect(await refused(fields)).toEqual([400, type, expect.stringMatching(message)]);
    expect(await parts.list(`l7policies?listener_id=${listenerId}`)).toEqual(before);
  });

  it('has no more rules than the limit', async () => {
    const rules = Array.from({ length: 51 }, () => RULE);
    expect(await refused({ rules })).toMatchObject([
      409,
      'TooManyL7RulesOnL7Policy',
      expect.stringMatching(/Too many/),
    ]);
  });

  it('needs a listener that inspects requests', async () => {
    const tcp = await newListener({ protocol: 'TCP' });
    expect(await refused({ listener_id: tcp })).toEqual([
      501,
      'ProviderUnsupportedOption',
      "Provider 'haproxy' does not support a requested option: TCP protocol listeners do not support L7 policies",
    ]);
    const metrics = await newListener({ protocol: 'PROMETHEUS' });
    expect((await refused({ listener_id: metrics }))[1]).toBe('ListenerNoChildren');
    const missing = newId();
    expect(await refused({ listener_id: missing })).toEqual([
      404,
      'NotFound',
      `Listener ${missing} not found.`,
    ]);
  });

  it('redirects only to a compatible pool of the same load balancer', async () => {
    const to = (redirect_pool_id: string) =>
      refused({ action: 'REDIRECT_TO_POOL', redirect_pool_id });
    const other = await parts.fixture.createLoadBalancer();
    const foreign = await newPool({ loadbalancer_id: other.id });
    for (const id of [foreign, newId()])
      expect(await to(id)).toEqual([404, 'NotFound', `Pool ${id} not found.`]);
    expect(await to(await newPool({ protocol: 'TCP' }))).toMatchObject([
      400,
      'ValidationException',
      expect.stringContaining("The pool protocol 'TCP' is invalid"),
    ]);
  });
});

describe('positions', () => {
  const order = async (id: string) =>
    (await parts.list(`l7policies?listener_id=${id}&sort=position:asc`)).map((one) => [
      one['name'],
      one['position'],
    ]);

  it('are inserted, moved and closed up within their own listener', async () => {
    const listener_id = await newListener();
    const add = (name: string, position?: number) => create({ listener_id, name, position });
    const a = await add('a');
    const b = await add('b', 1);
    await add('c', 99);
    expect(await order(listener_id)).toEqual([
      ['b', 1],
      ['a', 2],
      ['c', 3],
    ]);
    expect((await put(b.id, { position: 3 })).body).toMatchObject({ l7policy: { position: 3 } });
    await parts.fixture.settle();
    expect(await order(listener_id)).toEqual([
      ['a', 1],
      ['c', 2],
      ['b', 3],
    ]);
    expect(specOf(listener_id).map(({ id }) => id)).toEqual(
      (await parts.list(`l7policies?listener_id=${listener_id}&sort=position`)).map(({ id }) => id),
    );
    await parts.delete(`l7policies/${a.id}`);
    expect(await order(listener_id)).toEqual([
      ['c', 1],
      ['b', 2],
      ['a', 3],
    ]);
    await parts.fixture.settle();
    expect(await order(listener_id)).toEqual([
      ['c', 1],
      ['b', 2],
    ]);
    const first = (await parts.list(`l7policies?listener_id=${listener_id}&position=1`))[0]?.id;
    const unset = { position: null, name: 'first' };
    expect((await put(String(first), unset)).body).toMatchObject({
      l7policy: { position: 1, name: 'first' },
    });
    await parts.fixture.settle();
  });
});

describe('a change', () => {
  it('of the action replaces its target, and keeps other attributes', async () => {
    const { id } = await create({ action: 'REDIRECT_TO_URL', redirect_url: 'http://a.example' });
    const change = async (fields: object) => {
      expect((await put(id, fields)).status).toBe(200);
      expect(await show(id)).toMatchObject({ provisioning_status: 'PENDING_UPDATE' });
      await parts.fixture.settle();
      return show(id);
    };
    expect(await change({ name: 'named' })).toMatchObject({ redirect_url: 'http://a.example' });
    expect(await change({ redirect_http_code: 301 })).toMatchObject({ redirect_http_code: 301 });
    const toPool = { action: 'REDIRECT_TO_POOL', redirect_pool_id: poolId };
    const nothing = { redirect_url: null, redirect_prefix: null, redirect_http_code: null };
    expect(await change(toPool)).toMatchObject({ ...toPool, ...nothing });
    expect(await change(REJECT)).toMatchObject({ ...REJECT, redirect_pool_id: null });
  });

  it.each([
    [{ listener_id: newId() }, 400, /Cannot update read-only attribute listener_id/],
    [{ rules: [] }, 400, /Cannot update read-only attribute rules/],
    [{ action: 'REDIRECT_TO_URL' }, 400, /redirect_url must not be None/],
    [{ action: null }, 400, /action/],
    [{ action: 'REDIRECT_TO_POOL', redirect_pool_id: newId() }, 404, /Pool .* not found/],
  ])('is refused: %j', async (fields, status, message) => {
    const { id } = await create();
    expect(refusal(await put(id, fields))).toEqual([
      status,
      expect.any(String),
      expect.stringMatching(message),
    ]);
    expect(await show(id)).toMatchObject({ provisioning_status: 'ACTIVE', action: 'REJECT' });
  });
});

it('deleting a policy deletes its rules', async () => {
  const { id } = await create({ rules: [RULE] });
  expect((await parts.delete(`l7policies/${id}`)).status).toBe(204);
  expect(await parts.list(`l7policies/${id}/rules`)).toMatchObject([
    { provisioning_status: 'PENDING_DELETE' },
  ]);
  await parts.fixture.settle();
  expect(refusal(await parts.get(`l7policies/${id}`))).toEqual([
    404,
    'NotFound',
    `L7Policy ${id} not found.`,
  ]);
  expect((await parts.get(`l7policies/${id}/rules`)).status).toBe(404);
});

it('a policy is visible to its project only', async () => {
  const { id } = await create();
  const { stranger, reader } = parts.fixture;
  expect((await parts.get(`l7policies/${id}`, stranger)).status).toBe(404);
  expect((await parts.get(`l7policies/${id}`, reader)).status).toBe(200);
  const change = { l7policy: { name: 'other' } };
  expect((await parts.put(`l7policies/${id}`, change, stranger)).status).toBe(404);
  expect((await parts.delete(`l7policies/${id}`, reader)).status).toBe(403);
});
