import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { overlap } from '@cumulet/common/addresses/ip-address';
import { parseAll } from '../addresses/ip-set.js';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;
let other: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaSubnets: -1 } });
  other = await startNetwork({ beside: network });
});
afterAll(async () => {
  await other.stop();
  await network.stop();
});

const pool = async (fields: object = {}, token = network.member) =>
  (await network.create('subnetpools', { name: 'p', prefixes: ['10.0.0.0/16'], ...fields }, token))
    .id;

const ask = async (
  fields: object,
  { client }: NetworkFixture = network,
  token = network.member,
) => {
  const { id: network_id } = await network.create('networks', {}, token);
  return client.post('/v2.0/subnets', {
    token,
    body: { subnet: { network_id, ip_version: 4, ...fields } },
  });
};

const made = async (...args: Parameters<typeof ask>) => {
  const { body } = await ask(...args);
  return (body as { subnet: Wire & { cidr: string } }).subnet;
};

describe('a subnet of a pool', () => {
  it('has defaults that follow from its addresses', async () => {
    const subnetpool_id = await pool({ default_prefixlen: 24 });
    expect(await made({ subnetpool_id })).toMatchObject({
      subnetpool_id,
      cidr: '10.0.0.0/24',
      gateway_ip: '10.0.0.1',
      allocation_pools: [{ start: '10.0.0.2', end: '10.0.0.254' }],
    });
    const { cidr, ...rest } = await made({ subnetpool_id, prefixlen: 26, gateway_ip: null });
    expect([cidr, rest['gateway_ip']]).toEqual(['10.0.1.0/26', null]);
    expect(rest).not.toHaveProperty('prefixlen');
    expect(rest).not.toHaveProperty('use_default_subnetpool');
  });

  it('is allocated from the smallest sufficient block', async () => {
    const subnetpool_id = await pool();
    const cidrs: string[] = [];
    for (const prefixlen of [24, 20, 26, 24])
      cidrs.push((await made({ subnetpool_id, prefixlen })).cidr);
    expect(cidrs).toEqual(['10.0.0.0/24', '10.0.16.0/20', '10.0.1.0/26', '10.0.2.0/24']);
    const freed = await network.list(`subnets?subnetpool_id=${subnetpool_id}&cidr=10.0.0.0/24`);
    await network.client.delete(`/v2.0/subnets/${freed[0]?.id ?? ''}`, { token: network.member });
    expect((await made({ subnetpool_id, prefixlen: 25 })).cidr).toBe('10.0.1.128/25');
    expect((await made({ subnetpool_id, prefixlen: 24 })).cidr).toBe('10.0.0.0/24');
  });

  it('has the requested addresses, or those around its gateway', async () => {
    const subnetpool_id = await pool({ default_prefixlen: 24 });
    const chosen = await made({
      subnetpool_id,
      cidr: '10.0.7.0/24',
      allocation_pools: [{ start: '10.0.7.9', end: '10.0.7.20' }],
    });
    expect(chosen).toMatchObject({ cidr: '10.0.7.0/24', gateway_ip: '10.0.7.1' });
    expect(await made({ subnetpool_id, gateway_ip: '10.0.9.9' })).toMatchObject({
      cidr: '10.0.9.0/24',
      gateway_ip: '10.0.9.9',
    });
    const taken = await ask({ subnetpool_id, cidr: '10.0.7.128/25' });
    expect(refusalOf(taken)).toEqual([409, 'SubnetAllocationError']);
    const outside = await ask({ subnetpool_id, cidr: '10.1.0.0/24' });
    expect(refusalOf(outside)).toEqual([409, 'SubnetAllocationError']);
  });

  it('may span adjacent prefixes', async () => {
    const subnetpool_id = await pool({ prefixes: ['10.1.0.0/16', '10.2.0.0/15'] });
    expect((await made({ subnetpool_id, cidr: '10.2.0.0/15' })).cidr).toBe('10.2.0.0/15');
  });

  it('is allocated from the default pool on request', async () => {
    const asked = { use_default_subnetpool: true, prefixlen: 24 };
    expect(refusalOf(await ask(asked))).toEqual([400, 'BadRequest']);
    const fields = { is_default: true, shared: true, prefixes: ['10.5.0.0/16'] };
    const id = await pool(fields, network.admin);
    expect(await made(asked)).toMatchObject({ subnetpool_id: id, cidr: '10.5.0.0/24' });
    const both = await ask({ ...asked, subnetpool_id: id });
    expect(refusalOf(both)).toEqual([400, 'BadRequest']);
  });

  it.each([
    ['BadRequest', { cidr: '10.0.0.0/24', prefixlen: 24 }],
    ['BadRequest', { ip_version: 6 }],
    ['BadRequest', { allocation_pools: [{ start: '10.0.0.2', end: '10.0.0.9' }] }],
    ['MinPrefixSubnetAllocationError', { prefixlen: 19 }],
    ['MaxPrefixSubnetAllocationError', { prefixlen: 29 }],
    ['MaxPrefixSubnetAllocationError', { cidr: '10.0.0.0/29' }],
    ['InvalidInput', { gateway_ip: 'fe80::1' }],
  ])('is refused with %s: %j', async (type, fields) => {
    const subnetpool_id = await pool({ min_prefixlen: 20, max_prefixlen: 28 });
    expect(refusalOf(await ask({ subnetpool_id, ...fields }))).toEqual([400, type]);
    expect(await network.list(`subnets?subnetpool_id=${subnetpool_id}`)).toEqual([]);
  });

  it('is refused without a pool, or with addresses from elsewhere', async () => {
    expect(refusalOf(await ask({}))).toEqual([400, 'BadRequest']);
    expect(refusalOf(await ask({ prefixlen: 24 }))).toEqual([400, 'BadRequest']);
    const delegated = await ask({ ip_version: 6, subnetpool_id: 'prefix_delegation' });
    expect(refusalOf(delegated)).toEqual([400, 'HTTPBadRequest']);
  });

  it('must be of the same pool as others on its network', async () => {
    const [one, two] = [await pool(), await pool({ prefixes: ['10.2.0.0/16'] })];
    const first = await made({ subnetpool_id: one, prefixlen: 24 });
    const beside = (fields: object) =>
      network.client.post('/v2.0/subnets', {
        token: network.member,
        body: { subnet: { network_id: first['network_id'], ip_version: 4, ...fields } },
      });
    const mixed = [400, 'NetworkSubnetPoolAffinityError'];
    expect(refusalOf(await beside({ subnetpool_id: two, prefixlen: 24 }))).toEqual(mixed);
    expect(refusalOf(await beside({ cidr: '10.9.0.0/24' }))).toEqual(mixed);
    expect((await beside({ subnetpool_id: one, prefixlen: 24 })).status).toBe(201);
    expect((await beside({ cidr: '2001:db8::/64', ip_version: 6 })).status).toBe(201);
  });
});

describe("a pool's quota", () => {
  it("counts each project's addresses separately", async () => {
    const fields = { shared: true, default_quota: 256, prefixes: ['10.8.0.0/16'] };
    const subnetpool_id = await pool(fields, network.admin);
    const full = { subnetpool_id, prefixlen: 25 };
    for (let at = 0; at < 2; at += 1) expect((await ask(full)).status).toBe(201);
    expect(refusalOf(await ask({ subnetpool_id, prefixlen: 32, enable_dhcp: false }))).toEqual([
      409,
      'SubnetPoolQuotaExceeded',
    ]);
    expect((await ask(full, network, network.stranger)).status).toBe(201);
  });

  it('counts IPv6 /64s', async () => {
    const subnetpool_id = await pool({ default_quota: 2, prefixes: ['2001:db8::/32'] });
    const six = { subnetpool_id, ip_version: 6 };
    expect((await ask({ ...six, prefixlen: 65 })).status).toBe(201);
    expect((await ask({ ...six, prefixlen: 64 })).status).toBe(201);
    expect(refusalOf(await ask({ ...six, prefixlen: 64 }))).toEqual([
      409,
      'SubnetPoolQuotaExceeded',
    ]);
  });
});

describe('subnets that many projects allocate from one pool at once, in two processes', () => {
  // Requests of a single project would wait for each other at its quota.
  let projects: string[];

  beforeAll(async () => {
    projects = await Promise.all(
      Array.from({ length: 10 }, () => network.tokens.issue(['member'])),
    );
  });

  it('do not overlap, and all are allocated', async () => {
    const prefixes = ['10.0.0.0/22', '10.0.8.0/22'];
    const subnetpool_id = await pool({ shared: true, prefixes }, network.admin);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        ask({ subnetpool_id, prefixlen: 26 }, at % 2 === 0 ? network : other, projects[at % 10]),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect([201, 409].map((one) => statuses.filter((status) => status === one).length)).toEqual([
      32, 8,
    ]);
    const found = await network.list(`subnets?subnetpool_id=${subnetpool_id}`, network.admin);
    const cidrs = parseAll(found.map((one) => one['cidr'] as string));
    const twice = cidrs.some((one, at) => cidrs.slice(at + 1).some((two) => overlap(one, two)));
    expect([cidrs.length, twice]).toEqual([32, false]);
  });

  it('are not allocated from a pool that is deleted meanwhile', async () => {
    const subnetpool_id = await pool();
    const [cut, gone] = await Promise.all([
      ask({ subnetpool_id, prefixlen: 24 }, other),
      network.client.delete(`/v2.0/subnetpools/${subnetpool_id}`, { token: network.member }),
    ]);
    expect([
      [201, 400],
      [404, 204],
    ]).toContainEqual([cut.status, gone.status]);
  });

  it('are allocated in one request from several pools, in any order', async () => {
    const shared = { shared: true };
    const pools = [await pool(shared, network.admin), await pool(shared, network.admin)];
    const bulk = async (at: number) => {
      const token = projects[at];
      const nets = [1, 2].map(() => network.create('networks', {}, token));
      const [one, two] = at % 2 === 0 ? pools : [...pools].reverse();
      const subnets = (await Promise.all(nets)).map(({ id: network_id }, which) => ({
        network_id,
        ip_version: 4,
        prefixlen: 28,
        subnetpool_id: which === 0 ? one : two,
      }));
      return (at < 5 ? network : other).client.post('/v2.0/subnets', { token, body: { subnets } });
    };
    const answers = await Promise.all(projects.map((_, at) => bulk(at)));
    expect(answers.map(({ status }) => status)).toEqual(projects.map(() => 201));
  });
});
