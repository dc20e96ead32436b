import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type Wire } from '../loadbalancer.fixture.js';
import { Parts } from '../parts/parts.fixture.js';

let parts: Parts;
let loadBalancer: Wire;

beforeAll(async () => {
  parts = new Parts(await startLoadBalancer());
  loadBalancer = await parts.fixture.createLoadBalancer();
});
afterAll(() => parts.fixture.stop());

const at = (port: number, fields: object = {}) => ({
  address: '192.0.2.1',
  protocol_port: port,
  ...fields,
});

/** The path of the members of a new pool. */
async function newPool(members: readonly object[]): Promise<string> {
  const of = { loadbalancer_id: loadBalancer.id, protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
  return `pools/${(await parts.create('pools', 'pool', { ...of, members })).id}/members`;
}

const replace = (path: string, members: readonly object[], query = '', token?: string) =>
  parts.put(path + query, { members }, token);

async function replaced(path: string, members: readonly object[], query = ''): Promise<Wire[]> {
  const { status, text } = await replace(path, members, query);
  expect([status, text]).toEqual([202, '']);
  await parts.fixture.settle();
  return parts.list(`${path}?sort=protocol_port`);
}

it('adds, changes and removes members in one change', async () => {
  const path = await newPool([at(1, { name: 'a' }), at(2, { name: 'b', weight: 7 }), at(3)]);
  const [, two, three] = await parts.list(`${path}?sort=protocol_port`);
  const after = await replaced(path, [at(2, { weight: 9 }), at(3), at(4, { name: 'd' })]);
  expect(after).toMatchObject([
    { id: two?.id, name: 'b', weight: 9, updated_at: expect.any(String) as unknown },
    { ...three },
    { name: 'd', weight: 1, provisioning_status: 'ACTIVE' },
  ]);
  const told = parts.spec(loadBalancer.id).pools.find(({ id }) => path.includes(id))?.members;
  expect(new Map(told?.map(({ port, weight }) => [port, weight]))).toEqual(
    new Map([
      [2, 9],
      [3, 1],
      [4, 1],
    ]),
  );
});

it('keeps unlisted members if it only adds', async () => {
  const path = await newPool([at(1)]);
  expect(await replaced(path, [at(2)], '?additive_only=True')).toHaveLength(2);
  expect(await replaced(path, [at(3)], '?additive_only=false')).toHaveLength(1);
});

it('empties a pool', async () => {
  const path = await newPool([at(1), at(2)]);
  expect(await replaced(path, [])).toEqual([]);
});

it('shows the pending status of each member until it has been applied', async () => {
  const path = await newPool([at(1), at(2), at(3)]);
  await replace(path, [at(2, { weight: 5 }), at(3), at(4)]);
  const states = (await parts.list(`${path}?sort=protocol_port`)).map(
    (one) => one.provisioning_status,
  );
  expect(states).toEqual(['PENDING_DELETE', 'PENDING_UPDATE', 'ACTIVE', 'PENDING_CREATE']);
  expect(refusal(await replace(path, []))).toMatchObject([
    409,
    'ImmutableObject',
    expect.stringMatching(/immutable/),
  ]);
  await parts.fixture.settle();
});

describe('a batch is refused as a whole', () => {
  it.each([
    ['a member listed twice', [at(5), at(5)], 409, /already using ip 192\.0\.2\.1/],
    ['a member changed twice', [at(1), at(1, { weight: 2 })], 409, /already using ip/],
    ['an invalid member', [at(5), at(6, { weight: 300 })], 400, /members\[1\]\.weight/],
    ['a link-local member', [at(5), { ...at(6), address: '169.254.0.1' }], 400, /cannot be at/],
    ['a link-local monitor', [at(1, { monitor_address: 'fe80::1' })], 400, /cannot be at fe80::1/],
    ['an unknown subnet', [at(5, { subnet_id: newId() })], 400, /Subnet .* not found/],
    ['an unknown attribute', [at(5, { colour: 'red' })], 400, /'members\[0\]\.colour'/],
  ])('for %s', async (_, members, status, message) => {
    const path = await newPool([at(1)]);
    expect(refusal(await replace(path, members))).toEqual([
      status,
      expect.any(String),
      expect.stringMatching(message),
    ]);
    expect(await parts.list(path)).toMatchObject([
      { protocol_port: 1, provisioning_status: 'ACTIVE' },
    ]);
  });

  it('without a list, or for a pool of another project', async () => {
    const path = await newPool([]);
    expect((await parts.put(path, { member: {} })).status).toBe(400);
    const { stranger, reader } = parts.fixture;
    expect((await replace(path, [at(1)], '', stranger)).status).toBe(404);
    expect((await replace(path, [at(1)], '', reader)).status).toBe(403);
  });
});

describe('a batch of thousands', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => ({
      address: `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}`,
      protocol_port: 80,
      name: `a member with a name as clients give them, number ${number}`,
    }));
  const quota = (member: number) =>
    parts.put(`quotas/${parts.fixture.project}`, { quota: { member } }, parts.fixture.admin);

  it('is checked against the quota before anything is written', async () => {
    const path = await newPool([at(1), at(2)]);
    const [{ count } = { count: 0 }] = await parts.fixture.ctx.manager.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM members WHERE project_id = $1',
      [parts.fixture.project],
    );
    await quota(count + 8);
    expect(refusal(await replace(path, many(10_000)))).toEqual([
      403,
      'OverQuota',
      `Quota exceeded for member: requested 9998, 8 of ${count + 8} left`,
    ]);
    expect(await parts.list(path)).toHaveLength(2);
    expect(await replaced(path, many(10))).toHaveLength(10);
    expect(refusal(await replace(path, many(11)))).toMatchObject([
      413,
      'OverQuota',
      expect.any(String),
    ]);
    expect(await replaced(path, many(5))).toHaveLength(5);
  });

  it('may come with a new pool', async () => {
    await quota(-1);
    const members = many(10_000);
    expect(JSON.stringify(members).length).toBeGreaterThan(1024 * 1024);
    const [, id = ''] = (await newPool(members)).split('/');
    expect((await parts.show(`pools/${id}`, 'pool'))['members']).toHaveLength(10_000);
  });

  it('is applied as a whole', async () => {
    await quota(-1);
    const path = await newPool([]);
    expect(await replaced(path, many(10_000))).toHaveLength(10_000);
    const half = many(10_000)
      .slice(5_000)
      .map((one) => ({ ...one, weight: 2 }));
    const after = await replaced(path, half);
    expect(after).toHaveLength(5_000);
    expect(after.every((one) => one['weight'] === 2)).toBe(true);
  });
});
