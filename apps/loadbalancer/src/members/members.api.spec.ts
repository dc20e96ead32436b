import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type Wire } from '../loadbalancer.fixture.js';
import { Parts } from '../parts/parts.fixture.js';

let parts: Parts;
let loadBalancer: Wire;
let pool: string;

beforeAll(async () => {
  parts = new Parts(await startLoadBalancer());
  loadBalancer = await parts.fixture.createLoadBalancer();
  pool = await newPool();
});
afterAll(() => parts.fixture.stop());

async function newPool(fields: object = {}): Promise<string> {
  const of = { loadbalancer_id: loadBalancer.id, protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
  return (await parts.create('pools', 'pool', { ...of, ...fields })).id;
}

let last = 0;
/** One that nobody has. */
const member = (fields: object = {}) => ({
  address: '192.0.2.1',
  protocol_port: (last += 1),
  ...fields,
});
const create = (fields: object = {}, id = pool) =>
  parts.create(`pools/${id}/members`, 'member', member(fields));
const refused = async (fields: object, token?: string) =>
  refusal(await parts.post(`pools/${pool}/members`, { member: member(fields) }, token));
const specOf = (id: string) =>
  parts.spec(loadBalancer.id).pools.find((one) => one.id === id)?.members ?? [];

describe('a new member', () => {
  it('is shown with all its attributes, and applied', async () => {
    const asked = { name: 'one', tags: ['red'], weight: 5, backup: true, monitor_port: 8080 };
    const subnet_id = parts.fixture.networks.subnet.id;
    const made = await create({ ...asked, subnet_id, monitor_address: '2001:DB8::2' });
    const all = {
      ...asked,
      subnet_id,
      address: '192.0.2.1',
      monitor_address: '2001:DB8::2',
      admin_state_up: true,
      vnic_type: 'normal',
      project_id: parts.fixture.project,
    };
    expect(made).toMatchObject({
      ...all,
      provisioning_status: 'PENDING_CREATE',
      operating_status: 'NO_MONITOR',
      updated_at: null,
    });
    expect(await parts.show(`pools/${pool}/members/${made.id}`, 'member')).toMatchObject({
      ...all,
      provisioning_status: 'ACTIVE',
    });
    expect(specOf(pool)).toContainEqual(
      expect.objectContaining({ id: made.id, weight: 5, backup: true, monitorPort: 8080 }),
    );
  });

  it('is a duplicate however its address is written', async () => {
    const { protocol_port } = await create({ address: '2001:DB8:0::9' });
    const [status] = await refused({ address: '2001:db8::9', protocol_port });
    expect(status).toBe(409);
    expect(specOf(pool).map((one) => one.address)).toContain('2001:db8::9');
  });

  it('has the defaults of the API reference', async () => {
    expect(await create({ weight: null, backup: null, name: null })).toMatchObject({
      name: '',
      weight: 1,
      backup: false,
      monitor_address: null,
      monitor_port: null,
      subnet_id: null,
      tags: [],
    });
  });

  it('of a monitored pool is OFFLINE until it has been checked', async () => {
    const monitored = await newPool({
      healthmonitor: { type: 'TCP', delay: 5, timeout: 3, max_retries: 2 },
    });
    const path = `pools/${monitored}/members`;
    const answer = await parts.post(path, { member: member() });
    expect(answer.body).toMatchObject({ member: { operating_status: 'OFFLINE' } });
    await parts.fixture.settle();
  });

  it('has an address and port that are unique in its pool', async () => {
    const one = member();
    await create(one);
    expect(await refused(one)).toEqual([
      409,
      'DuplicateMemberEntry',
      `Another member on this pool is already using ip 192.0.2.1 on protocol_port ${one.protocol_port}`,
    ]);
    const other = await newPool();
    expect(await create(one, other)).toMatchObject({ address: '192.0.2.1' });
  });

  it('needs a subnet that the caller may see', async () => {
    const theirs = parts.fixture.networks.addSubnet({ projectId: newId() });
    for (const id of [theirs.id, newId()]) {
      expect(await refused({ subnet_id: id })).toEqual([
        400,
        'InvalidSubresource',
        `Subnet ${id} not found.`,
      ]);
    }
  });

  it.each([
    [{ address: undefined }, /Required attribute 'address'/],
    [{ address: 'www.example.com' }, /address.*not a valid IP address/],
    [{ address: '169.254.169.254' }, /A member cannot be at 169\.254\.169\.254/],
    [{ monitor_address: 'fe80::1' }, /A member cannot be at fe80::1/],
    [{ protocol_port: 0 }, /protocol_port.*too small/],
    [{ protocol_port: 65_536 }, /protocol_port.*too large/],
    [{ weight: 257 }, /weight.*too large/],
    [{ weight: -1 }, /weight.*too small/],
    [{ monitor_port: 70_000 }, /monitor_port/],
    [{ backup: 'maybe' }, /backup/],
    [{ subnet_id: 'here' }, /subnet_id.*not a valid UUID/],
    [{ request_sriov: true }, /does not allow SR-IOV member ports/],
    [{ pool_id: newId() }, /Unrecognized attribute\(s\) 'pool_id'/],
    [{ name: 'x'.repeat(256) }, /name.*exceeds maximum length/],
  ])('is refused: %j', async (fields, message) => {
    expect(await refused(fields)).toEqual([
      400,
      expect.any(String),
      expect.stringMatching(message),
    ]);
  });

  it('needs a pool that the caller may see and change', async () => {
    const { stranger, reader } = parts.fixture;
    expect(await refused({}, stranger)).toEqual([404, 'NotFound', `Pool ${pool} not found.`]);
    expect((await refused({}, reader))[0]).toBe(403);
  });
});

describe('a change', () => {
  it('is applied, and puts its pool into PENDING_UPDATE', async () => {
    const { id } = await create({ weight: 5, monitor_port: 81 });
    const path = `pools/${pool}/members/${id}`;
    const answer = await parts.put(path, { member: { weight: 0, monitor_port: null } });
    expect(answer.body).toMatchObject({
      member: { weight: 0, monitor_port: null, provisioning_status: 'PENDING_UPDATE' },
    });
    expect(await parts.show(`pools/${pool}`, 'pool')).toMatchObject({
      provisioning_status: 'PENDING_UPDATE',
    });
    await parts.fixture.settle();
    expect(await parts.show(path, 'member')).toMatchObject({ provisioning_status: 'ACTIVE' });
    expect(specOf(pool)).toContainEqual(expect.objectContaining({ id, weight: 0 }));
  });

  it('restores defaults with null', async () => {
    const { id } = await create({ weight: 5, backup: true });
    const change = { member: { weight: null, backup: null } };
    expect((await parts.put(`pools/${pool}/members/${id}`, change)).body).toMatchObject({
      member: { weight: 1, backup: false },
    });
    await parts.fixture.settle();
  });

  it.each([
    [{ address: '192.0.2.2' }, /Cannot update read-only attribute address/],
    [{ protocol_port: 5 }, /Cannot update read-only attribute protocol_port/],
    [{ monitor_address: '169.254.0.1' }, /A member cannot be at 169\.254\.0\.1/],
  ])('is refused: %j', async (fields, message) => {
    const { id } = await create();
    const answer = await parts.put(`pools/${pool}/members/${id}`, { member: fields });
    expect(refusal(answer)).toEqual([400, expect.any(String), expect.stringMatching(message)]);
  });

  it('applies to a member of the pool in its path', async () => {
    const { id } = await create();
    const other = await newPool();
    const path = `pools/${other}/members/${id}`;
    for (const answer of [
      await parts.get(path),
      await parts.put(path, { member: { weight: 1 } }),
      await parts.delete(path),
    ])
      expect(refusal(answer)).toEqual([404, 'NotFound', `Member ${id} not found.`]);
  });
});

it('a deleted member is removed once the load balancer runs without it', async () => {
  const { id } = await create();
  const path = `pools/${pool}/members/${id}`;
  expect((await parts.delete(path)).status).toBe(204);
  expect(await parts.show(path, 'member')).toMatchObject({
    provisioning_status: 'PENDING_DELETE',
  });
  await parts.fixture.settle();
  expect((await parts.get(path)).status).toBe(404);
  expect(specOf(pool).map((one) => one.id)).not.toContain(id);
});

it('members are listed by attributes, sorted and paged', async () => {
  const id = await newPool();
  const ports = [];
  for (const weight of [3, 1, 2])
    ports.push((await create({ weight, name: `m${weight}` }, id))['protocol_port']);
  const path = `pools/${id}/members`;
  expect((await parts.list(`${path}?sort=weight:asc`)).map((one) => one['weight'])).toEqual([
    1, 2, 3,
  ]);
  expect(await parts.list(`${path}?protocol_port=${String(ports[1])}&fields=name`)).toEqual([
    { name: 'm1' },
  ]);
  expect(await parts.list(`${path}?address=192.0.2.1&weight=3`)).toHaveLength(1);
  expect(await parts.list(`${path}?limit=2`)).toHaveLength(2);
  expect((await parts.get(`pools/${newId()}/members`)).status).toBe(404);
});

describe('a member at an address of its own load balancer', () => {
  const vip = () => String(loadBalancer['vip_address']);
  const loops = (status: number) => [
    status,
    'ValidationException',
    expect.stringContaining("it is the load balancer's own VIP"),
  ];

  it('is refused on its own and in a batch', async () => {
    expect(await refused({ address: vip() })).toEqual(loops(400));
    const id = await newPool();
    const list = [member(), member({ address: vip() })];
    const answer = await parts.put(`pools/${id}/members`, { members: list });
    expect(refusal(answer)).toEqual(loops(400));
    expect(await parts.list(`pools/${id}/members`)).toEqual([]);
  });

  it('is refused with a new pool or load balancer, also at an additional VIP', async () => {
    const algorithm = { protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
    const withPool = { loadbalancer_id: loadBalancer.id, ...algorithm };
    const pools = await parts.post('pools', {
      pool: { ...withPool, members: [member({ address: vip() })] },
    });
    expect(refusal(pools)).toEqual(loops(400));
    const { id: subnet } = parts.fixture.networks.subnet;
    const made = await parts.post('loadbalancers', {
      loadbalancer: {
        vip_subnet_id: subnet,
        vip_address: vip().replace(/\d+$/, '77'),
        pools: [
          { ...algorithm, name: 'p', members: [member({ address: vip().replace(/\d+$/, '77') })] },
        ],
      },
    });
    expect(refusal(made)).toEqual(loops(400));
  });

  it('is kept if it existed before this rule, and can be changed', async () => {
    const id = await newPool();
    const { id: old } = await create({}, id);
    const { manager } = parts.fixture.ctx;
    await manager.query('UPDATE members SET address = $1 WHERE id = $2', [vip(), old]);
    const change = await parts.put(`pools/${id}/members/${old}`, { member: { weight: 3 } });
    expect(change.status).toBe(200);
    await parts.fixture.settle();
    expect(specOf(id)).toMatchObject([{ address: vip(), weight: 3 }]);
  });
});
