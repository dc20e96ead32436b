/** Bounds of lists in one row, and of rows of one project: docs/bounds.md. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const send = (method: string, path: string, body?: object) =>
  network.client.send(method, `/v2.0/${path}`, { token: network.member, body });

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const cidrs = (count: number, from = 0): string[] =>
  range(count).map((at) => `10.${Math.floor((at + from) / 64)}.${((at + from) % 64) * 4}.0/24`);
const words = (count: number): string[] => range(count).map((at) => `tag-${at}`);

interface Case {
  readonly list: string;
  /** Creates a resource whose list is full. @returns its path */
  readonly full: () => Promise<string>;
  readonly more: (path: string) => Promise<Awaited<ReturnType<typeof send>>>;
  readonly message: string;
}

const cases: readonly Case[] = [
  {
    list: 'tags',
    async full() {
      const { id } = await network.create('networks', { tags: words(50) });
      return `networks/${id}`;
    },
    more: (path) => send('PUT', `${path}/tags/another`),
    message: 'Bad resource request: The number of tags exceed the per-resource limit of 50.',
  },
  {
    list: 'addresses',
    async full() {
      const { id } = await network.create('address_groups', { addresses: cidrs(1_000) });
      return `address-groups/${id}`;
    },
    more: (path) => send('PUT', `${path}/add_addresses`, { addresses: cidrs(1, 1_000) }),
    message: 'Bad address_group request: An address group may have 1000 addresses.',
  },
  {
    list: 'prefixes',
    async full() {
      const { id } = await network.create('subnetpools', {
        name: 'full',
        prefixes: cidrs(1_000),
      });
      return `subnetpools/${id}`;
    },
    more: (path) => send('PUT', `${path}/add_prefixes`, { prefixes: cidrs(1, 1_000) }),
    message: 'Bad subnetpool request: A subnet pool may have 1000 prefixes.',
  },
  {
    list: 'extra_dhcp_opts',
    async full() {
      const { network: one } = await network.networkWith('10.250.0.0/24');
      const extra_dhcp_opts = range(100).map((at) => ({
        // Options that OVN does not know are stored but not applied.
        opt_name: `option-${at}`,
        opt_value: `${at}`,
      }));
      const { id } = await network.create('ports', { network_id: one.id, extra_dhcp_opts });
      return `ports/${id}`;
    },
    more: (path) =>
      send('PUT', path, { port: { extra_dhcp_opts: [{ opt_name: '15', opt_value: 'x' }] } }),
    message: 'Bad port request: A port may have 100 DHCP options.',
  },
];

describe.each(cases)('a list that is full: $list', ({ list, full, more, message }) => {
  it('refuses more, names the bound, and stays as it is', async () => {
    const path = await full();
    const listOf = async (): Promise<unknown> => {
      const { body } = await send('GET', path);
      return (Object.values(body as object)[0] as Record<string, unknown>)[list];
    };
    const before = await listOf();
    const answer = await more(path);
    expect([refusalOf(answer), messageOf(answer)]).toEqual([[400, 'BadRequest'], message]);
    expect(await listOf()).toEqual(before);
  });
});

describe.each([
  [
    'host_routes',
    'HostRoutesExhausted',
    (count: number) => ({
      subnet: {
        host_routes: cidrs(count).map((destination) => ({ destination, nexthop: '10.251.0.9' })),
      },
    }),
    20,
  ],
  [
    'dns_nameservers',
    'DNSNameServersExhausted',
    (count: number) => ({
      subnet: { dns_nameservers: range(count).map((at) => `10.251.0.${at + 20}`) },
    }),
    5,
  ],
  [
    'allowed_address_pairs',
    'AllowedAddressPairExhausted',
    (count: number) => ({
      port: {
        allowed_address_pairs: range(count).map((at) => ({ ip_address: `10.251.0.${at + 20}` })),
      },
    }),
    10,
  ],
  [
    'fixed_ips',
    'InvalidInput',
    (count: number) => ({
      port: { fixed_ips: range(count).map((at) => ({ ip_address: `10.251.0.${at + 20}` })) },
    }),
    5,
  ],
] as const)('%s', (list, type, body, max) => {
  it(`are up to ${max}, as in Neutron`, async () => {
    const made = await network.networkWith('10.251.0.0/24');
    const port = await network.create('ports', { network_id: made.network.id });
    const isOfPort = list === 'allowed_address_pairs' || list === 'fixed_ips';
    const path = isOfPort ? `ports/${port.id}` : `subnets/${made.subnet.id}`;
    expect((await send('PUT', path, body(max))).status).toBe(200);
    expect(refusalOf(await send('PUT', path, body(max + 1)))[1]).toBe(type);
    const shown = (await send('GET', path)).body as Record<string, Record<string, unknown>>;
    expect(Object.values(shown)[0]?.[list]).toHaveLength(max);
  });
});

it('a list of tags over its bound may shrink but not grow', async () => {
  const { id } = await network.create('networks', {});
  const { manager } = network.ctx;
  await manager.query('UPDATE networks SET tags = $2 WHERE id = $1', [id, words(60)]);
  const put = (tags: string[]) => send('PUT', `networks/${id}/tags`, { tags });
  expect((await put(words(61))).status).toBe(400);
  expect((await put(words(55))).status).toBe(200);
  expect((await network.show('networks', id))['tags']).toHaveLength(55);
});

describe.each([
  ['address_groups', 'address_group', {}],
  ['address_scopes', 'address_scope', { ip_version: 4 }],
  ['subnetpools', 'subnetpool', { prefixes: ['10.1.0.0/16'] }],
] as const)('%s', (plural, quota, fields) => {
  const path = (): string => `/v2.0/quotas/${network.project}`;
  afterEach(() => network.client.delete(path(), { token: network.admin }));

  it('of a project have a quota', async () => {
    const body = { quota: { [quota]: (await network.list(plural.replace('_', '-'))).length } };
    await network.client.put(path(), { token: network.admin, body });
    const answer = await send('POST', plural.replace('_', '-'), {
      [quota]: { name: 'one more', ...fields },
    });
    expect(refusalOf(answer)).toEqual([413, 'OverQuota']);
  });
});
