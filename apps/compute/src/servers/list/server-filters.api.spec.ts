/** Filters of lists: their results, microversions and callers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin'], { projectId: compute.projectId });
  const create = async (server: object): Promise<string> => {
    const response = await compute.client.post('/servers', {
      token: compute.token,
      headers: { 'OpenStack-API-Version': 'compute 2.90' },
      body: {
        server: {
          imageRef: compute.images.bootable,
          flavorRef: '1',
          networks: 'none',
          ...server,
        },
      },
    });
    expect(response.status).toBe(202);
    await compute.settle();
    return (response.body as { server: { id: string } }).server.id;
  };
  await create({ name: 'one', tags: ['a', 'b'], hostname: 'first', config_drive: true });
  const two = await create({ name: 'two', tags: ['b'], description: 'the second' });
  await create({ name: 'three', accessIPv4: '192.0.2.3', 'OS-DCF:diskConfig': 'AUTO' });
  await compute.client.post(`/servers/${two}/action`, {
    token: compute.token,
    body: { lock: null },
  });
});
afterAll(() => compute.stop());

function list(query: string, minor: number, token: string): Promise<TestResponse> {
  const headers = { 'OpenStack-API-Version': `compute 2.${minor}` };
  return compute.client.get(`/servers${query}`, { token, headers });
}

async function names(query: string, minor: number, token = compute.token): Promise<string[]> {
  const response = await list(query, minor, token);
  expect(response.status).toBe(200);
  return (response.body as { servers: { name: string }[] }).servers.map(({ name }) => name).sort();
}

const ALL = ['one', 'three', 'two'];
const now = new Date().toISOString().slice(0, 7);

/** The first microversion that has it for everyone. */
const FOR_ALL: [string, number, string[]][] = [
  ['tags=a,b', 26, ['one']],
  ['tags=b', 26, ['one', 'two']],
  ['tags-any=a,c', 26, ['one']],
  ['not-tags=a,b', 26, ['three', 'two']],
  ['not-tags-any=a,b', 26, ['three']],
  ['locked=true', 73, ['two']],
  ['locked=0', 73, ['one', 'three']],
];

/** The first microversion that has it for others than administrators. */
const FOR_OPERATORS_FIRST: [string, number, string[]][] = [
  ['availability_zone=nova', 83, ALL],
  ['availability_zone=elsewhere', 83, []],
  ['config_drive=true', 83, ['one']],
  ['key_name=mine', 83, []],
  [`created_at=${now}`, 83, ALL],
  ['created_at=1999', 83, []],
  [`launched_at=${now}`, 83, ALL],
  ['terminated_at=2026', 83, []],
  ['power_state=1', 83, ALL],
  ['power_state=4', 83, []],
  ['task_state=spawning', 83, []],
  ['vm_state=active', 83, ALL],
  ['vm_state=stopped', 83, []],
  ['progress=100', 83, ALL],
  ['user_id=nobody', 83, []],
  ['hostname=fir', 90, ['one']],
];

const FOR_OPERATORS: [string, string[]][] = [
  ['host=host-1', ALL],
  ['node=elsewhere', []],
  ['display_name=^o', ['one']],
  ['description=second', ['two']],
  ['display_description=second', ['two']],
  ['image_ref=none', []],
  ['kernel_id=', ALL],
  ['ramdisk_id=x', []],
  ['launch_index=0', ALL],
  ['launch_index=x', []],
  ['locked_by=owner', ['two']],
  ['root_device_name=/dev/vdb', []],
  ['access_ip_v4=192.0.2.3', ['three']],
  ['access_ip_v6=::1', []],
  ['auto_disk_config=True', ['three']],
];

describe('a filter that everyone has', () => {
  it.each(FOR_ALL)('finds by %s since 2.%i', async (filter, minor, found) => {
    expect(await names(`?${filter}`, minor)).toEqual(found);
    expect(await names(`?${filter}`, minor - 1)).toEqual(ALL);
  });
});

describe('a filter that administrators had first', () => {
  it.each(FOR_OPERATORS_FIRST)('finds by %s since 2.%i', async (filter, minor, found) => {
    expect(await names(`?${filter}`, minor)).toEqual(found);
    expect(await names(`?${filter}`, minor - 1)).toEqual(ALL);
    expect(await names(`?${filter}`, 1, admin)).toEqual(found);
  });
});

describe("an operator's filter", () => {
  it.each(FOR_OPERATORS)('finds by %s, and is ignored for others', async (filter, found) => {
    expect(await names(`?${filter}`, 96, admin)).toEqual(found);
    expect(await names(`?${filter}`, 96)).toEqual(ALL);
  });
});

describe('a status', () => {
  it('may be one of several', async () => {
    expect(await names('?status=SHUTOFF&status=ACTIVE', 1)).toEqual(ALL);
  });

  it('that no server can have matches none, and is refused since 2.38', async () => {
    expect(await names('?status=BLUE', 37)).toEqual([]);
    const response = await list('?status=BLUE', 38, compute.token);
    expectError(response, 400, 'badRequest', 'Invalid status value');
    expect(await names('?status=SHELVED', 38)).toEqual([]);
  });

  it('is kept by a server that is being deleted', async () => {
    await compute.app.dataSource.query(
      `UPDATE servers SET state = 'deleting', previous_state = 'active' WHERE name = 'one'`,
    );
    expect(await names('?status=ACTIVE', 1)).toEqual(ALL);
    expect(await names('?task_state=deleting', 83)).toEqual(['one']);
    expect(await names('?vm_state=active', 83)).toEqual(ALL);
    expect(await names('?status=SHUTOFF', 1)).toEqual([]);
    await compute.app.dataSource.query(
      `UPDATE servers SET state = 'active', previous_state = NULL WHERE name = 'one'`,
    );
  });
});

it('is the last of several texts', async () => {
  expect(await names('?name=one&name=two', 1)).toEqual(['two']);
});

it('refuses an expensive expression of addresses', async () => {
  const query = `?ip=${encodeURIComponent('(a?){255}(a?){255}')}`;
  expect((await list(query, 1, compute.token)).status).toBe(400);
  expect((await list('?ip=(', 1, compute.token)).status).toBe(400);
});

it('refuses an invalid boolean', async () => {
  const response = await list('?locked=perhaps', 73, compute.token);
  const message = 'Invalid input: locked must be a boolean value.';
  expectError(response, 400, 'badRequest', message);
});
