/** Administration of flavors, and visibility of private ones. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let admin: string;
let stranger: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  stranger = await compute.tokens.issue(['member', 'reader']);
});
afterAll(() => compute.stop());

type Method = 'delete' | 'get' | 'post' | 'put';

interface Options {
  readonly body?: unknown;
  readonly version?: string;
  readonly token?: string;
}

function send(method: Method, path: string, options: Options = {}): Promise<TestResponse> {
  const { body, version = '2.90', token = admin } = options;
  const headers = { 'OpenStack-API-Version': `compute ${version}` };
  return compute.client[method](path, {
    token,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

const SIZE = { ram: 64, vcpus: 1, disk: 1 };

const create = (flavor: object, options: Options = {}): Promise<TestResponse> =>
  send('post', '/flavors', { ...options, body: { flavor: { ...SIZE, ...flavor } } });

async function created(flavor: object): Promise<{ id: string }> {
  const response = await create(flavor);
  if (response.status !== 200) throw new Error(response.text);
  return (response.body as { flavor: { id: string } }).flavor;
}

async function names(query = '', token = admin): Promise<string[]> {
  const { body } = await send('get', `/flavors${query}`, { token });
  return (body as { flavors: { name: string }[] }).flavors.map(({ name }) => name);
}

describe('a flavor', () => {
  it('is created with all that a client says of it', async () => {
    const { status, body } = await create({
      name: ' big ',
      id: 'big.1',
      description: 'For tests',
      swap: '512',
      'OS-FLV-EXT-DATA:ephemeral': 2,
      rxtx_factor: 0.5,
    });
    expect([status, body]).toMatchObject([
      200,
      {
        flavor: {
          id: 'big.1',
          name: 'big',
          ram: 64,
          vcpus: 1,
          disk: 1,
          swap: 512,
          'OS-FLV-EXT-DATA:ephemeral': 2,
          rxtx_factor: 0.5,
          extra_specs: {},
          description: 'For tests',
          'os-flavor-access:is_public': true,
        },
      },
    ]);
  });

  it('shows its swap as a number before microversion 2.75, too, and none as an empty text', async () => {
    const { id } = await created({ name: 'swapping', swap: 1 });
    const shown = async (of: string) =>
      (await send('get', `/flavors/${of}`, { version: '2.74' })).body;
    expect(await shown(id)).toMatchObject({ flavor: { swap: 1 } });
    expect(await shown('1')).toMatchObject({ flavor: { swap: '' } });
  });

  it('gets an id by default, and accepts a number', async () => {
    const { id } = await created({ name: 'anonymous', id: null });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await created({ name: 'numbered', id: 4711 })).id).toBe('4711');
  });

  it.each<[object, number, string]>([
    [{ name: 'm1.tiny' }, 409, 'Flavor with name m1.tiny already exists.'],
    [{ name: 'new', id: '1' }, 409, 'Flavor with ID 1 already exists.'],
    [{ name: ' ' }, 400, 'flavor.name must hold printable characters, and not be blank'],
    [{ name: 'n', id: ' x' }, 400, 'flavor.id must be 1 to 255 letters'],
    [{ name: 'n', ram: 0 }, 400, 'flavor.ram must not be less than 1'],
    [{ name: 'n', vcpus: 2_147_483_648 }, 400, 'flavor.vcpus must not be greater than 2147483647'],
    [{ name: 'n', disk: -1 }, 400, 'flavor.disk must not be less than 0'],
    [{ name: 'n', swap: '1.5' }, 400, 'flavor.swap must be an integer number'],
    [{ name: 'n', rxtx_factor: 0 }, 400, 'flavor.rxtx_factor must be a positive number'],
    [{ name: 'n', colour: 'red' }, 400, 'flavor.colour'],
  ])('is refused: %j', async (flavor, status, message) => {
    const before = await names('?is_public=none');
    const response = await create(flavor);
    expect(response.status).toBe(status);
    expect(response.text).toContain(message);
    expect(await names('?is_public=none')).toEqual(before);
  });

  it('takes a description since microversion 2.55', async () => {
    const response = await create({ name: 'old', description: 'x' }, { version: '2.54' });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('2.55')]);
    const { id } = await created({ name: 'described' });
    const body = { flavor: { description: 'Better' } };
    expect((await send('put', `/flavors/${id}`, { body, version: '2.54' })).status).toBe(400);
    expect((await send('put', `/flavors/${id}`, { body })).body).toMatchObject(body);
    expect((await send('put', '/flavors/none', { body })).status).toBe(404);
  });

  it('is gone once it is deleted, and can be made again', async () => {
    await created({ name: 'brief', id: 'brief' });
    expect((await send('delete', '/flavors/brief')).status).toBe(202);
    expect((await send('get', '/flavors/brief')).status).toBe(404);
    expect((await send('delete', '/flavors/brief')).status).toBe(404);
    await created({ name: 'brief', id: 'brief' });
  });

  it('is created, changed and deleted by administrators only', async () => {
    const token = compute.token;
    const refused = await Promise.all([
      create({ name: 'mine' }, { token }),
      send('put', '/flavors/1', { token, body: { flavor: { description: 'x' } } }),
      send('delete', '/flavors/1', { token }),
      send('post', '/flavors/1/action', { token, body: { addTenantAccess: { tenant: 'x' } } }),
      send('get', '/flavors/1/os-flavor-access', { token }),
      send('post', '/flavors/1/os-extra_specs', { token, body: { extra_specs: {} } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  });

  it('gives its servers ephemeral and swap disks, divided as they request', async () => {
    const { id } = await created({ name: 'disks', 'OS-FLV-EXT-DATA:ephemeral': 2, swap: 64 });
    const blank = { source_type: 'blank', destination_type: 'local', boot_index: -1 };
    const plain = await compute.buildServer({ flavorRef: id });
    const parted = await compute.buildServer({
      flavorRef: id,
      block_device_mapping_v2: [
        {
          source_type: 'image',
          destination_type: 'local',
          boot_index: 0,
          uuid: compute.images.bootable,
        },
        { ...blank, volume_size: 1, guest_format: 'ext3' },
        { ...blank, volume_size: 1 },
      ],
    });
    const disksOf = (server: string) =>
      compute.hypervisor.world.guest(server).startedWith?.localDisks;
    expect(disksOf(plain)).toEqual([
      { sizeMb: 2048, format: 'ext4', label: 'ephemeral0' },
      { sizeMb: 64, format: 'swap' },
    ]);
    expect(disksOf(parted)).toEqual([
      { sizeMb: 1024, format: 'ext3', label: 'ephemeral0' },
      { sizeMb: 1024, format: 'ext4', label: 'ephemeral1' },
      { sizeMb: 64, format: 'swap' },
    ]);
    const shown = await compute.client.get(`/servers/${plain}`, {
      token: compute.token,
      headers: { 'OpenStack-API-Version': 'compute 2.47' },
    });
    expect(shown.body).toMatchObject({ server: { flavor: { ephemeral: 2, swap: 64 } } });
  });
});

describe('a private flavor', () => {
  const act = (id: string, action: string, tenant: string, version = '2.90') =>
    send('post', `/flavors/${id}/action`, { version, body: { [action]: { tenant } } });

  it('is usable by projects with access', async () => {
    const { id } = await created({ name: 'secret', 'os-flavor-access:is_public': false });
    const { token } = compute;
    compute.projects.add(compute.projectId);
    expect((await send('get', `/flavors/${id}`, { token })).status).toBe(404);
    expect((await compute.createServer({ flavorRef: id })).status).toBe(400);
    expect((await send('get', `/flavors/${id}/os-flavor-access`)).body).toEqual({
      flavor_access: [],
    });

    const access = { flavor_access: [{ flavor_id: id, tenant_id: compute.projectId }] };
    expect((await act(id, 'addTenantAccess', compute.projectId)).body).toEqual(access);
    expect(await names('', token)).toContain('secret');
    expect(await names('', stranger)).not.toContain('secret');
    expect((await send('get', `/flavors/${id}/os-extra_specs`, { token })).status).toBe(200);
    expect((await compute.createServer({ flavorRef: id })).status).toBe(202);
    expect((await act(id, 'addTenantAccess', compute.projectId)).status).toBe(409);

    expect((await act(id, 'removeTenantAccess', compute.projectId)).body).toEqual({
      flavor_access: [],
    });
    expect((await send('get', `/flavors/${id}`, { token })).status).toBe(404);
    expect((await act(id, 'removeTenantAccess', compute.projectId)).status).toBe(404);
  });

  it('is shown to administrators who ask', async () => {
    await created({ name: 'hidden', 'os-flavor-access:is_public': false });
    expect(await names()).not.toContain('hidden');
    expect(await names('?is_public=None')).toEqual(expect.arrayContaining(['hidden', 'm1.tiny']));
    const hidden = await names('?is_public=false');
    expect(hidden).toContain('hidden');
    expect(hidden).not.toContain('m1.tiny');
    expect(await names('?is_public=false', compute.token)).not.toContain('hidden');
    expect((await send('get', '/flavors?is_public=maybe')).status).toBe(400);
  });

  it('is refused for projects that do not exist, and for public flavors', async () => {
    const { id } = await created({ name: 'few', 'os-flavor-access:is_public': false });
    const unknown = newId();
    const refused = await act(id, 'addTenantAccess', unknown);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining(`Project ID ${unknown} is not a valid project.`),
    ]);
    const known = compute.projects.add();
    expect((await act('1', 'addTenantAccess', known)).status).toBe(409);
    expect((await act('none', 'addTenantAccess', known)).status).toBe(404);
    expect((await send('get', '/flavors/1/os-flavor-access')).status).toBe(404);
    expect((await send('post', `/flavors/${id}/action`, { body: {} })).status).toBe(400);
  });
});

describe('extra specs', () => {
  let path: string;
  beforeAll(async () => {
    path = `/flavors/${(await created({ name: 'special' })).id}/os-extra_specs`;
  });

  const add = (specs: unknown, version?: string) =>
    send('post', path, { body: { extra_specs: specs }, ...(version && { version }) });

  it('are added, shown, changed and deleted', async () => {
    expect((await add({ 'hw:cpu_sockets': 2, own: 'x' })).body).toEqual({
      extra_specs: { 'hw:cpu_sockets': '2', own: 'x' },
    });
    await add({ own: 'y' });
    expect((await send('get', path)).body).toEqual({
      extra_specs: { 'hw:cpu_sockets': '2', own: 'y' },
    });
    expect((await send('put', `${path}/own`, { body: { own: 'z' } })).body).toEqual({ own: 'z' });
    expect((await send('get', `${path}/own`)).body).toEqual({ own: 'z' });
    expect((await send('delete', `${path}/own`)).status).toBe(200);
    expect((await send('delete', `${path}/own`)).status).toBe(404);
    expect((await send('get', `${path}/own`)).text).toContain('has no extra specs with key own.');
    expect((await send('get', path.replace('/os-extra_specs', ''))).body).toMatchObject({
      flavor: { extra_specs: { 'hw:cpu_sockets': '2' } },
    });
  });

  it('are copied to a server', async () => {
    const { id } = await created({ name: 'copied' });
    const specs = { 'hw:cpu_cores': '1' };
    await send('post', `/flavors/${id}/os-extra_specs`, { body: { extra_specs: specs } });
    const server = await compute.buildServer({ flavorRef: id });
    await send('delete', `/flavors/${id}`);
    const { body } = await send('get', `/servers/${server}`, { token: compute.token });
    expect(body).toMatchObject({ server: { flavor: { extra_specs: specs } } });
  });

  it('of ten clients at the same time are all kept', async () => {
    const { id } = await created({ name: 'busy' });
    const keys = Array.from({ length: 10 }, (_, at) => `key${at}`);
    const each = `/flavors/${id}/os-extra_specs`;
    await Promise.all(
      keys.map((key) => send('post', each, { body: { extra_specs: { [key]: key } } })),
    );
    const { body } = await send('get', each);
    expect(Object.keys((body as { extra_specs: object }).extra_specs).sort()).toEqual(keys);
  });

  it.each<[unknown, string]>([
    [{ 'hw:cpu_sockets': 'two' }, "'two' is not a valid integer value"],
    [{ 'hw:cpu_sockets': '0' }, "'0' is less than the min value of '1'"],
    [{ 'hw:redirected_usb_ports': '16' }, "'16' is greater than the max value of '15'"],
    [{ 'hw:cpu_policy': 'mine' }, "'mine' is not one of: dedicated, shared, mixed"],
    [{ 'hw:numa_cpus.0': 'all' }, "'all' is not of the format"],
    [{ 'hw_rng:allowed': 'maybe' }, "'maybe' is not a valid boolean-like value"],
    [{ 'hw:cpu_colour': 'red' }, "extra spec 'hw:cpu_colour' does not appear to be a valid"],
    [{ 'trait:HW_CPU_X86_AVX': 'liked' }, "'liked' is not one of: required, forbidden"],
    [{ 'a/b': 'x' }, "'a/b' is not a valid name of an extra spec"],
    [{ a: 'x'.repeat(256) }, 'extra_specs.a must be a string of at most 255 characters'],
    [{ a: true }, 'extra_specs.a must be a string'],
    [[], 'extra_specs must be an object'],
    [undefined, 'extra_specs must be an object'],
  ])('are refused: %j', async (specs, message) => {
    const before = (await send('get', path)).body;
    const response = await add(specs);
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(message)]);
    expect((await send('get', path)).body).toEqual(before);
  });

  it.each([
    { 'hw:numa_cpus.12': '0-3,^2', 'resources:CUSTOM_GOLD': '1', 'trait1:CUSTOM_X': 'forbidden' },
    { 'quota:disk_read_bytes_sec': '10', 'quota:cpu_quota': '-1', 'mine:anything': 'goes' },
    { 'capabilities:cpu_info:vendor': 'x', 'aggregate_instance_extra_specs:ssd': 'true' },
  ])('are accepted: %j', async (specs) => {
    expect((await add(specs)).status).toBe(200);
  });

  it('are not validated before microversion 2.86', async () => {
    expect((await add({ 'hw:cpu_colour': 'red' }, '2.85')).status).toBe(200);
  });

  it('are changed only under the name in the address', async () => {
    const response = await send('put', `${path}/one`, { body: { other: 'x' } });
    expect([response.status, response.text]).toEqual([
      400,
      expect.stringContaining('Request body and URI mismatch'),
    ]);
  });
});
