import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(async () => {
  await compute.stop();
});

const get = (path: string, version = '2.1'): Promise<TestResponse> =>
  compute.client.get(path, {
    token: compute.token,
    headers: { 'OpenStack-API-Version': `compute ${version}` },
  });

interface Page {
  readonly flavors: { readonly id: string; readonly name: string }[];
  readonly flavors_links?: { readonly rel: string; readonly href: string }[];
}

async function ids(query: string): Promise<string[]> {
  const response = await get(`/flavors${query}`);
  expect(response.status).toBe(200);
  return (response.body as Page).flavors.map(({ id }) => id);
}

const links = (id: string): object[] => [
  { rel: 'self', href: `${compute.client.baseUrl}/v2.1/flavors/${id}` },
  { rel: 'bookmark', href: `${compute.client.baseUrl}/flavors/${id}` },
];

describe('the flavors', () => {
  it('are the usual ones of OpenStack clouds', async () => {
    const { flavors } = (await get('/flavors')).body as Page;
    expect(flavors.map(({ id, name }) => `${id} ${name}`)).toEqual([
      '1 m1.tiny',
      '2 m1.small',
      '3 m1.medium',
      '4 m1.large',
      '42 m1.nano',
      '5 m1.xlarge',
      '84 m1.micro',
    ]);
  });

  it.each<[string, string[]]>([
    ['?minRam=4096', ['3', '4', '5']],
    ['?minDisk=80', ['4', '5']],
    ['?minRam=4096&minDisk=100', ['5']],
    ['?sort_key=memory_mb&sort_dir=desc&limit=2', ['5', '4']],
    ['?sort_key=name&limit=1', ['4']],
    ['?marker=42', ['5', '84']],
    ['?limit=0', []],
  ])('are filtered and sorted by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it.each(['flavorid', 'name', 'vcpus', 'memory_mb', 'root_gb', 'created_at', 'disabled'])(
    'come page by page in the order of %s, each once',
    async (key) => {
      const all = await ids(`?sort_key=${key}`);
      const found: string[] = [];
      let next: string | undefined = `/flavors?sort_key=${key}&limit=2`;
      while (next !== undefined && found.length < 20) {
        const page = (await get(next)).body as Page;
        found.push(...page.flavors.map(({ id }) => id));
        next = page.flavors_links?.[0]?.href.replace(compute.client.baseUrl, '');
      }
      expect(found).toEqual(all);
    },
  );

  it.each([
    ['?limit=x', 'Invalid input: limit must be an integer number.'],
    ['?marker=none', "Invalid input: marker 'none' is not a flavor."],
    [
      '?sort_key=colour',
      'Invalid input: sort_key must be one of created_at, description, disabled, ephemeral_gb, flavorid, id, is_public, memory_mb, name, root_gb, rxtx_factor, swap, updated_at, vcpu_weight, vcpus.',
    ],
    ['?sort_dir=up', 'Invalid input: sort_dir must be one of asc, desc.'],
    ['?minRam=much', 'Invalid input: minRam must be an integer number.'],
  ])('are refused for %s', async (query, message) => {
    const response = await get(`/flavors${query}`);
    expect([response.status, response.body]).toEqual([400, { badRequest: { code: 400, message } }]);
  });
});

describe('a flavor', () => {
  const tiny = {
    id: '1',
    name: 'm1.tiny',
    ram: 512,
    disk: 1,
    vcpus: 1,
    swap: '',
    rxtx_factor: 1,
    'OS-FLV-EXT-DATA:ephemeral': 0,
    'OS-FLV-DISABLED:disabled': false,
    'os-flavor-access:is_public': true,
  };

  it.each([
    ['2.1', {}],
    ['2.55', { description: null }],
    ['2.61', { description: null, extra_specs: {} }],
    ['2.75', { description: null, extra_specs: {}, swap: 0 }],
  ])('is shown as of %s', async (version, later) => {
    const shown = { ...tiny, links: links('1'), ...later };
    expect((await get('/flavors/1', version)).body).toEqual({ flavor: shown });
    const { flavors } = (await get('/flavors/detail', version)).body as Page;
    expect(flavors[0]).toEqual(shown);
  });

  it('has no extra specs', async () => {
    expect((await get('/flavors/1/os-extra_specs')).body).toEqual({ extra_specs: {} });
  });

  it.each(['/flavors/m1.tiny', '/flavors/m1.tiny/os-extra_specs'])(
    'is not found by its name: %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.body]).toEqual([
        404,
        { itemNotFound: { code: 404, message: 'Flavor m1.tiny could not be found.' } },
      ]);
    },
  );
});
