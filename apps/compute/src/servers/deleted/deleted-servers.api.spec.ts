/** Lists with deleted servers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';
import { DeletedServersSweep } from './deleted-servers.sweep.js';

let compute: ComputeFixture;
let admin: string;
let kept: string;
let gone: string;
/** Another project's. */
let foreign: string;
const start = new Date(Date.now() - 1_000).toISOString();

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin'], { projectId: compute.projectId });
  const remove = async (id: string): Promise<string> => {
    await compute.client.delete(`/servers/${id}`, { token: admin });
    await compute.settle();
    return id;
  };
  kept = await compute.buildServer({ name: 'kept' });
  gone = await remove(await compute.buildServer({ name: 'gone', metadata: { a: 'b' } }));
  const elsewhere = await compute.tokens.issue(['member'], { projectId: newId() });
  const other = await compute.createServer({ name: 'foreign' }, elsewhere);
  await compute.settle();
  foreign = await remove((other.body as { server: { id: string } }).server.id);
});
afterAll(() => compute.stop());

interface Listed {
  readonly id: string;
  readonly status: string;
}

async function list(query: string, token = compute.token): Promise<Listed[]> {
  const response = await compute.client.get(`/servers/detail?${query}`, { token });
  expect(response.status).toBe(200);
  return (response.body as { servers: Listed[] }).servers;
}

const ids = async (query: string, token?: string): Promise<string[]> =>
  (await list(query, token)).map(({ id }) => id).sort();

describe('a server that was deleted', () => {
  it('is in no list that does not request it', async () => {
    expect(await ids('')).toEqual([kept]);
    expect(await ids('all_tenants=1', admin)).toEqual([kept]);
  });

  it('is not found by its id', async () => {
    const response = await compute.client.get(`/servers/${gone}`, { token: admin });
    expectError(response, 404, 'itemNotFound', `Instance ${gone} could not be found.`);
  });

  it('is among the changes since an earlier time, in its last state', async () => {
    const [one] = (await list(`changes-since=${start}`)).filter(({ id }) => id === gone);
    expect(one).toMatchObject({
      name: 'gone',
      status: 'DELETED',
      metadata: { a: 'b' },
      'OS-EXT-STS:vm_state': 'deleted',
      'OS-EXT-STS:task_state': null,
      'OS-EXT-STS:power_state': 0,
      'OS-SRV-USG:terminated_at': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/),
    });
  });

  it('is among them beside present servers', async () => {
    expect(await ids(`changes-since=${start}`)).toEqual([gone, kept].sort());
    expect(await ids(`changes-since=${start}&status=ACTIVE`)).toEqual([kept]);
  });

  it('is not among the changes since a later time', async () => {
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await ids(`changes-since=${later}`)).toEqual([]);
  });

  it('is shown to its project alone', async () => {
    expect(await ids(`changes-since=${start}`)).not.toContain(foreign);
  });

  it('has the defaults of newer columns', async () => {
    await compute.app.dataSource.query(
      `UPDATE deleted_servers SET server = server - '{tags,nic}'::text[] WHERE id = $1`,
      [gone],
    );
    const response = await compute.client.get('/servers/detail?deleted=true', {
      token: admin,
      headers: { 'OpenStack-API-Version': 'compute 2.96' },
    });
    expect(response.body).toMatchObject({ servers: [{ id: gone, tags: [] }] });
  });

  it('keeps none of its secrets', async () => {
    const [row]: { server: object }[] = await compute.app.dataSource.query(
      'SELECT server FROM deleted_servers WHERE id = $1',
      [gone],
    );
    for (const secret of ['admin_password', 'guest_password', 'user_data', 'injected_files'])
      expect(row?.server).not.toHaveProperty(secret);
  });

  it('is archived also if it never had a host', async () => {
    const response = await compute.createServer({ name: 'unplaced' });
    const { id } = (response.body as { server: { id: string } }).server;
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    await compute.settle();
    expect(await ids('deleted=true', admin)).toContain(id);
    await compute.app.dataSource.query('DELETE FROM deleted_servers WHERE id = $1', [id]);
  });
});

describe('deleted=true', () => {
  it('lists to administrators deleted servers alone', async () => {
    expect(await ids('deleted=true', admin)).toEqual([gone]);
    expect(await ids('deleted=true&all_tenants=1', admin)).toEqual([gone, foreign].sort());
    expect(await ids('deleted=true&name=kept', admin)).toEqual([]);
  });

  it('lists them by page', async () => {
    const [first] = await list('deleted=true&all_tenants=1&limit=1', admin);
    const [second] = await list(
      `deleted=true&all_tenants=1&limit=1&marker=${first?.id ?? ''}`,
      admin,
    );
    expect([first?.id, second?.id].sort()).toEqual([gone, foreign].sort());
  });

  it('is ignored for others, as by Nova', async () => {
    expect(await ids('deleted=true')).toEqual([kept]);
  });

  it('excludes them from the changes if it is false', async () => {
    expect(await ids(`changes-since=${start}&deleted=false`, admin)).toEqual([kept]);
  });
});

describe('status=DELETED', () => {
  it('lists them to administrators', async () => {
    expect(await ids('status=deleted', admin)).toEqual([gone]);
  });

  it('is refused for others', async () => {
    const response = await compute.client.get('/servers?status=DELETED', { token: compute.token });
    expectError(response, 403, 'forbidden', 'Only administrators may list deleted instances');
  });
});

describe('the sweep of deleted servers', () => {
  it('removes those that were deleted longer ago than the setting', async () => {
    const old = await compute.buildServer();
    await compute.client.delete(`/servers/${old}`, { token: compute.token });
    await compute.settle();
    const { dataSource } = compute.app;
    await dataSource.query(
      `UPDATE deleted_servers SET deleted_at = now() - interval '2 days' WHERE id = $1`,
      [old],
    );
    await new DeletedServersSweep({ ...compute.config, keepDeletedDays: 3 }).run(compute.ctx);
    expect(await ids('deleted=true', admin)).toEqual([gone, old].sort());
    await new DeletedServersSweep({ ...compute.config, keepDeletedDays: 1 }).run(compute.ctx);
    expect(await ids('deleted=true', admin)).toEqual([gone]);
    const actions = 'SELECT DISTINCT server_id AS id FROM instance_actions';
    const rows: { id: string }[] = await dataSource.query(actions);
    expect(rows.map(({ id }) => id)).toContain(gone);
    expect(rows.map(({ id }) => id)).not.toContain(old);
  });
});
