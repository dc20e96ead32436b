import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from '../../compute.fixture.js';
import { SERVER_SORT_KEYS } from './list-servers.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let admin: string;
let otherImage: string;
/** Names and IDs of the project's servers, oldest first. */
const servers: { name: string; id: string }[] = [];
let foreign: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  otherImage = compute.images.add({});
  const add = async (name: string, server: object = {}): Promise<void> => {
    servers.push({ name, id: await compute.buildServer({ name, ...server }) });
  };
  await add('web-1');
  await add('web-2', { flavorRef: '42' });
  await add('db', { imageRef: otherImage });
  await add('off');
  compute.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No.'));
  await add('broken');
  // Created at the same instant, as servers of one request are.
  const many = await compute.createServer({ name: 'many', min_count: 3 });
  expect(many.status).toBe(202);
  await compute.settle();
  await stop(idOf('off'));
  const elsewhere = await compute.createServer({}, await compute.tokens.issue(['member']));
  foreign = (elsewhere.body as { server: { id: string } }).server.id;
  await compute.settle();
});

afterAll(async () => {
  await compute.stop();
});

function idOf(name: string): string {
  return servers.find((server) => server.name === name)?.id ?? '';
}

async function stop(id: string): Promise<void> {
  await compute.client.post(`/servers/${id}/action`, {
    token: compute.token,
    body: { 'os-stop': null },
  });
  await compute.settle();
}

const list = (query: string, token = compute.token): Promise<TestResponse> =>
  compute.client.get(`/servers${query}`, { token });

interface Page {
  readonly servers: { readonly id: string; readonly name: string }[];
  readonly servers_links?: { readonly rel: string; readonly href: string }[];
}

async function names(query: string, token = compute.token): Promise<string[]> {
  const response = await list(query, token);
  expect(response.status).toBe(200);
  return (response.body as Page).servers.map(({ name }) => name);
}

const ALL = ['broken', 'db', 'many-1', 'many-2', 'many-3', 'off', 'web-1', 'web-2'];

describe('a filter', () => {
  it.each<[string, () => string, string[]]>([
    ['no filter', () => '', ALL],
    ['a name', () => '?name=web-1', ['web-1']],
    ['a part of a name', () => '?name=web', ['web-1', 'web-2']],
    ['a regular expression', () => `?name=${encodeURIComponent('^(db|off)$')}`, ['db', 'off']],
    ['an empty name', () => '?name=', ALL],
    ['a status', () => '?status=SHUTOFF', ['off']],
    ['a status in lower case', () => '?status=error', ['broken']],
    ['a status that no server has', () => '?status=SUSPENDED', []],
    ['a flavor', () => '?flavor=42', ['web-2']],
    [
      "a flavor's address",
      () => `?flavor=${encodeURIComponent('http://x/v2.1/flavors/42')}`,
      ['web-2'],
    ],
    ['an image', () => `?image=${otherImage}`, ['db']],
    ['an image that is no id', () => '?image=cirros', []],
    ['an id', () => `?uuid=${idOf('db')}`, ['db']],
    ['an id that is none', () => '?uuid=x', []],
    ['two of them', () => '?name=web&flavor=42', ['web-2']],
    ['an unknown name', () => '?colour=red', ALL],
    ['deleted servers, which a member cannot ask for', () => '?deleted=True', ALL],
    ['changes since the future', () => '?changes-since=2999-01-01T00:00:00Z', []],
    ['changes since the past', () => '?changes-since=2001-01-01', ALL],
    ['changes before the past', () => '?changes-before=2001-01-01T00:00:00Z', []],
    ["another project's id, without all_tenants", () => `?project_id=${newId()}`, ALL],
    ['a host, which only an admin may know', () => '?host=nowhere', ALL],
  ])('by %s', async (_, query, expected) => {
    expect((await names(query())).sort()).toEqual(expected);
  });

  it.each(['changes-since', 'changes-before'])(
    'by %s what a server shows as updated, finds that server',
    async (filter) => {
      await compute.app.dataSource.query(
        `UPDATE servers SET updated_at = date_trunc('second', now()) + '999 ms' WHERE id = $1`,
        [idOf('off')],
      );
      const { updated } = await compute.show(idOf('off'));
      expect(await names(`?${filter}=${encodeURIComponent(String(updated))}`)).toContain('off');
    },
  );

  it('by host works for an admin', async () => {
    const ids = (query: string) => names(`?all_tenants=1&${query}`, admin);
    expect(await ids('host=nowhere')).toEqual([]);
    expect(await ids('host=host-1')).toContain('db');
    expect(await ids('host=host-1')).not.toContain('broken');
  });

  it('by all_tenants shows an admin every project, or a requested one', async () => {
    const everywhere = await list('?all_tenants=1', admin);
    const ids = (everywhere.body as Page).servers.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([foreign, idOf('db')]));
    const one = await names(`?all_tenants=True&project_id=${compute.projectId}`, admin);
    expect(one.sort()).toEqual(ALL);
  });

  it('reads the bare name all_tenants as true, as Nova does', async () => {
    expect((await names('?all_tenants', admin)).sort()).toEqual(
      (await names('?all_tenants=1', admin)).sort(),
    );
    expect(await names('?all_tenants', admin)).not.toEqual([]);
  });

  it("without all_tenants is the admin's own project", async () => {
    expect(await names('', admin)).toEqual([]);
  });
});

describe('a list is refused', () => {
  it.each<[string, () => string, number, string, string]>([
    [
      'all_tenants of a member',
      () => '?all_tenants=1',
      403,
      'forbidden',
      'Listing the servers of all projects (all_tenants) needs the role admin.',
    ],
    [
      'a name that is no expression',
      () => '?name=(',
      400,
      'badRequest',
      "Invalid input: name '(' is not a valid regular expression: it opens a group",
    ],
    [
      'a name that would keep the database busy',
      () => `?name=${encodeURIComponent('^(.+)(.+)(.+)\\3\\2\\1c$')}`,
      400,
      'badRequest',
      'refers back to a group',
    ],
    [
      'a name that would take down Postgres',
      () => `?name=${encodeURIComponent('(a?){255}(a?){255}(a?){255}a{255}')}`,
      400,
      'badRequest',
      'counts repetitions',
    ],
    [
      'a limit that is no number',
      () => '?limit=x',
      400,
      'badRequest',
      'Invalid input: limit must be an integer number.',
    ],
    [
      'a negative limit',
      () => '?limit=-1',
      400,
      'badRequest',
      'Invalid input: limit must not be less than 0.',
    ],
    [
      'a marker that is no id',
      () => '?marker=x',
      400,
      'badRequest',
      'Invalid input: marker must be a UUID.',
    ],
    [
      'a marker that nothing has',
      () => '?marker=11111111-1111-4111-8111-111111111111',
      400,
      'badRequest',
      'Invalid input: marker [11111111-1111-4111-8111-111111111111] not found.',
    ],
    ["another project's marker", () => `?marker=${foreign}`, 400, 'badRequest', `not found`],
    [
      'an unknown sort key',
      () => '?sort_key=colour',
      400,
      'badRequest',
      "sort_key 'colour' is not one of created_at,",
    ],
    [
      'an unknown direction',
      () => '?sort_dir=up',
      400,
      'badRequest',
      'Invalid input: sort_dir must be asc or desc.',
    ],
    [
      'a time that is none',
      () => '?changes-since=yesterday',
      400,
      'badRequest',
      'Invalid input: changes-since must be an ISO 8601 time.',
    ],
    ['a null character', () => '?name=a%00', 400, 'badRequest', 'null character'],
  ])('%s', async (_, query, status, key, message) => {
    const response = await list(query());
    expect([response.status, response.body]).toEqual([
      status,
      { [key]: { code: status, message: expect.stringContaining(message) } },
    ]);
  });
});

describe('pages', () => {
  const keys = Object.keys(SERVER_SORT_KEYS).filter((key) => !['host', 'node'].includes(key));
  const orders = keys.flatMap((key) => ['asc', 'desc'].map((direction) => ({ key, direction })));

  async function followed(query: string): Promise<string[]> {
    const found: string[] = [];
    let next: string | undefined = query;
    while (next !== undefined && found.length < 50) {
      const body = (await list(next)).body as Page;
      found.push(...body.servers.map(({ name }) => name));
      const href = body.servers_links?.find(({ rel }) => rel === 'next')?.href;
      next = href?.replace(/^.*\/servers/, '');
    }
    return found;
  }

  it.each(orders)('by $key $direction give every server once', async ({ key, direction }) => {
    const order = `?sort_key=${key}&sort_dir=${direction}`;
    const found = await followed(`${order}&limit=3`);
    expect(found).toEqual(await names(order));
    expect(found.sort()).toEqual(ALL);
  });

  it.each(['host', 'node'])('by %s are for administrators alone', async (key) => {
    const response = await list(`?sort_key=${key}`);
    expect([response.status, response.body]).toEqual([
      403,
      { forbidden: { code: 403, message: `Only administrators can sort servers by ${key}` } },
    ]);
    expect((await list(`?sort_key=${key}`, admin)).status).toBe(200);
  });

  it("by Nova's columns that are not keys have the default order, until 2.75", async () => {
    expect(await names('?sort_key=vcpus&sort_dir=asc')).toEqual(await names('?sort_dir=asc'));
    const headers = { 'OpenStack-API-Version': 'compute 2.75' };
    const since = await compute.client.get('/servers?sort_key=vcpus', {
      token: compute.token,
      headers,
    });
    expect(since.status).toBe(400);
  });

  it('by two keys give every server once', async () => {
    const order = '?sort_key=vm_state&sort_dir=asc&sort_key=display_name&sort_dir=desc';
    expect(await followed(`${order}&limit=2`)).toEqual([
      'web-2',
      'web-1',
      'many-3',
      'many-2',
      'many-1',
      'db',
      'broken',
      'off',
    ]);
  });

  it('come newest first by default', async () => {
    const first = (await names('?limit=3')).sort();
    expect(first).toEqual(['many-1', 'many-2', 'many-3']);
  });

  it('keep the filter in the address of the next one', async () => {
    expect((await followed('?name=^web-[12]?&limit=1')).sort()).toEqual(['web-1', 'web-2']);
  });

  it('have no next one if they hold all', async () => {
    const exact = (await list(`?limit=${ALL.length}`)).body as Page;
    expect(exact).not.toHaveProperty('servers_links');
    expect((await list('?limit=0')).body).toEqual({ servers: [] });
  });

  it('name the next one as the client reached this one', async () => {
    const path = `/v2.1/${compute.projectId}/servers/detail?limit=1`;
    const response = await compute.client.get(path, { token: compute.token });
    const [last] = (response.body as Page).servers;
    expect((response.body as Page).servers_links).toEqual([
      { rel: 'next', href: `${compute.client.baseUrl}${path}&marker=${last?.id ?? ''}` },
    ]);
  });
});

it('a list without details names and links each server, and nothing more', async () => {
  const id = idOf('db');
  const { baseUrl } = compute.client;
  expect((await list(`?uuid=${id}`)).body).toEqual({
    servers: [
      {
        id,
        name: 'db',
        links: [
          { rel: 'self', href: `${baseUrl}/v2.1/servers/${id}` },
          { rel: 'bookmark', href: `${baseUrl}/servers/${id}` },
        ],
      },
    ],
  });
});

it('an unknown id is a filter, not an error', async () => {
  expect(await names(`?uuid=${unknownId()}`)).toEqual([]);
});
