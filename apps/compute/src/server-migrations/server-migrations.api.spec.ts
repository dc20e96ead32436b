import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { DeletedServersSweep } from '../servers/deleted/deleted-servers.sweep.js';
import { removeLeftovers } from './leftover-guests.js';
import { addHost } from '../hosts/hosts.fixture.js';

let compute: ComputeFixture;
let admin: string;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  const ctx = RequestContext.system(newRequestId(), compute.app.dataSource.manager);
  await addHost(ctx, 'away', { silentSeconds: 3_600 });
});

afterAll(() => compute.stop());

async function buildAnother(): Promise<void> {
  await compute.deleteServers();
  await compute.app.dataSource.query('DELETE FROM server_migrations');
  id = await compute.buildServer({ flavorRef: '42' });
}

const headers = (minor: number) => ({ 'OpenStack-API-Version': `compute 2.${minor}` });

async function act(body: object, token = compute.token): Promise<void> {
  const response = await compute.done(id, body, { token });
  expect([200, 202, 204]).toContain(response.status);
}

const ask = (path: string, minor = 80, token = admin): Promise<TestResponse> =>
  compute.client.get(path, { token, headers: headers(minor) });

type Shown = Readonly<Record<string, unknown>>;

async function list(query = '', minor = 80): Promise<Shown[]> {
  const { status, body, text } = await ask(`/os-migrations${query}`, minor);
  if (status !== 200) throw new Error(text);
  return (body as { migrations: Shown[] }).migrations;
}

const resize = (flavorRef: string): Promise<void> => act({ resize: { flavorRef } });
const flavorNumber = async (flavor: string): Promise<unknown> => {
  const sql = 'SELECT number FROM flavors WHERE id = $1';
  const rows: { number: number }[] = await compute.app.dataSource.query(sql, [flavor]);
  return rows[0]?.number;
};

describe('a migration', () => {
  beforeEach(buildAnother);

  it('is recorded by a resize, with its progress', async () => {
    await resize('2');
    const [shown] = await list();
    expect(shown).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      instance_uuid: id,
      migration_type: 'resize',
      status: 'finished',
      source_compute: 'host-1',
      source_node: 'host-1',
      dest_compute: 'host-1',
      dest_node: 'host-1',
      dest_host: expect.stringMatching(/\d/),
      old_instance_type_id: await flavorNumber('42'),
      new_instance_type_id: await flavorNumber('2'),
      user_id: expect.any(String),
      project_id: compute.projectId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      updated_at: expect.any(String),
    });
    await act({ confirmResize: null });
    expect(await list()).toMatchObject([{ status: 'confirmed' }]);
    await resize('3');
    await act({ revertResize: null });
    expect((await list()).map(({ status }) => status)).toEqual(['reverted', 'confirmed']);
  });

  it('has failed if its resize has', async () => {
    // No host has so large a disk. A host's own size cannot be changed: its agent reports it.
    const flavor = { id: 'vast', name: 'vast', ram: 64, vcpus: 1, disk: 1_000_000_000 };
    await compute.client.post('/flavors', { token: admin, body: { flavor } });
    await resize('vast');
    expect(await list()).toMatchObject([{ status: 'error', dest_compute: null }]);
  });

  it.each([
    ['resized', 'confirmed'],
    ['being resized', 'error'],
  ])('ends with its server that is %s: %s', async (state, status) => {
    const hold = compute.hypervisor.hold('keepDisk');
    await compute.act(id, { resize: { flavorRef: '2' } });
    await hold.reached;
    const erased =
      state === 'being resized'
        ? compute.client.delete(`/servers/${id}`, { token: admin })
        : undefined;
    await erased;
    hold.release();
    await compute.settle();
    await compute.deleteServers();
    expect(await list()).toMatchObject([{ status, instance_uuid: id }]);
  });

  it('is recorded by an evacuation, and completed once the host has removed the guest', async () => {
    await compute.app.dataSource.query("UPDATE servers SET host = 'away' WHERE id = $1", [id]);
    const response = await compute.done(id, { evacuate: {} }, { token: admin, minor: 79 });
    expect(response.status).toBe(200);
    expect(await list()).toMatchObject([
      {
        migration_type: 'evacuation',
        status: 'done',
        source_compute: 'away',
        dest_compute: 'host-1',
      },
    ]);
    const ctx = RequestContext.system(newRequestId(), compute.app.dataSource.manager);
    await removeLeftovers(ctx, 'away', () => Promise.resolve());
    expect(await list()).toMatchObject([{ status: 'completed' }]);
  });

  it('is removed with its deleted server', async () => {
    await resize('2');
    await compute.deleteServers();
    await compute.app.dataSource.query(
      "UPDATE deleted_servers SET deleted_at = now() - interval '100 days'",
    );
    const ctx = RequestContext.system(newRequestId(), compute.app.dataSource.manager);
    await compute.app.nest.get(DeletedServersSweep).run(ctx);
    expect(await list()).toEqual([]);
  });
});

describe('the list', () => {
  beforeAll(async () => {
    await buildAnother();
    for (const flavor of ['2', '3']) {
      await resize(flavor);
      await act({ revertResize: null });
    }
    await resize('2');
  });

  it.each<[string, number]>([
    ['status=finished', 1],
    ['status=reverted', 2],
    ['migration_type=resize', 3],
    ['migration_type=evacuation', 0],
    ['host=host-1', 3],
    ['host=away', 0],
    ['source_compute=host-1', 3],
    ['source_compute=away', 0],
    ['instance_uuid=SERVER', 3],
    [`instance_uuid=${unknownId()}`, 0],
    ['instance_uuid=nothing', 0],
    ['project_id=PROJECT', 3],
    ['project_id=nothing', 0],
    ['user_id=nothing', 0],
    ['changes-since=2020-01-01T00:00:00Z', 3],
    ['changes-before=2020-01-01T00:00:00Z', 0],
    ['hidden=1', 0],
    ['hidden=0', 3],
  ])('is filtered by %s', async (query, count) => {
    const asked = query.replace('SERVER', id).replace('PROJECT', compute.projectId);
    expect(await list(`?${asked}`)).toHaveLength(count);
  });

  it('has pages, newest first', async () => {
    const all = (await list()).map(({ uuid }) => uuid);
    const { body } = await ask('/os-migrations?limit=2');
    const { migrations, migrations_links: links } = body as {
      migrations: Shown[];
      migrations_links: { rel: string; href: string }[];
    };
    expect(migrations.map(({ uuid }) => uuid)).toEqual(all.slice(0, 2));
    const [next] = links;
    expect(next?.rel).toBe('next');
    const query = new URL(next?.href ?? '').search;
    expect((await list(query)).map(({ uuid }) => uuid)).toEqual(all.slice(2));
  });

  it('shows the properties of its microversion', async () => {
    const keys = async (minor: number) => Object.keys((await list('', minor))[0] ?? {}).sort();
    const always = await keys(1);
    expect(always).not.toContain('migration_type');
    expect(await keys(23)).toEqual([...always, 'migration_type'].sort());
    expect(await keys(59)).toEqual([...always, 'migration_type', 'uuid'].sort());
    expect(await keys(80)).toEqual(
      [...always, 'migration_type', 'uuid', 'user_id', 'project_id'].sort(),
    );
    expect(
      await list('?limit=1&marker=nothing&other=1'.replace('marker=nothing&', ''), 58),
    ).toHaveLength(3);
  });

  it.each([
    ['an unknown marker', `marker=${unknownId()}`, 80],
    ['changes-before before 2.66', 'changes-before=2020-01-01T00:00:00Z', 65],
    ['a user before 2.80', 'user_id=nothing', 79],
    [
      'times the wrong way round',
      'changes-since=2021-01-01T00:00:00Z&changes-before=2020-01-01T00:00:00Z',
      80,
    ],
    ['what it does not know', 'sort_key=id', 59],
    ['a limit below 0', 'limit=-1', 59],
  ])('refuses %s', async (_, query, minor) => {
    expect((await ask(`/os-migrations?${query}`, minor)).status).toBe(400);
  });

  it('is for administrators', async () => {
    expect((await ask('/os-migrations', 80, compute.token)).status).toBe(403);
  });
});

describe('live migrations of a server', () => {
  beforeAll(buildAnother);

  const path = (rest = ''): string => `/servers/${id}/migrations${rest}`;

  it('is empty if none is in progress', async () => {
    await resize('2');
    expect((await ask(path())).body).toEqual({ migrations: [] });
    const [{ id: number } = {}] = await list();
    const shown = await ask(path(`/${String(number)}`));
    expect([shown.status, shown.body]).toEqual([
      404,
      {
        itemNotFound: {
          code: 404,
          message: `Migration ${String(number)} for server ${id} is not live-migration.`,
        },
      },
    ]);
    for (const unknown of ['999999', '99999999999', 'nothing'])
      expect((await ask(path(`/${unknown}`))).status).toBe(404);
  });

  it.each([
    ['of no server', 404],
    ['of one that does not move', 409],
  ])('are neither forced nor aborted: %s', async (which, status) => {
    const path = (rest = ''): string =>
      `/servers/${which === 'of no server' ? unknownId() : id}/migrations${rest}`;
    const request = { token: admin, headers: headers(80) };
    const body = { force_complete: null };
    const forced = await compute.client.post(path('/1/action'), { ...request, body });
    expect(forced.status).toBe(status);
    expect((await compute.client.delete(path('/1'), request)).status).toBe(status);
    expect((await ask(path())).status).toBe(status === 404 ? 404 : 200);
  });

  it('came with 2.22 to 2.24', async () => {
    expect((await ask(path(), 22)).status).toBe(404);
    const request = { token: admin, headers: headers(23) };
    expect((await compute.client.delete(path('/1'), request)).status).toBe(404);
  });
});
