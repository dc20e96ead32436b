import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute({ config: { quotaServerGroups: 3, quotaServerGroupMembers: 2 } });
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());
afterEach(async () => {
  await compute.deleteServers();
  await compute.app.dataSource.query('DELETE FROM server_groups');
});

const at = (minor: number, token = compute.token) => ({
  token,
  headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
});

type Group = Readonly<Record<string, unknown>> & { readonly id: string };

const post = (group: object, minor = 64): Promise<TestResponse> =>
  compute.client.post('/os-server-groups', { ...at(minor), body: { server_group: group } });

async function created(group: object = {}, minor = 64): Promise<Group> {
  const response = await post({ name: 'web', policy: 'anti-affinity', ...group }, minor);
  expect(response.status).toBe(200);
  return (response.body as { server_group: Group }).server_group;
}

const show = (id: string, minor = 64, token?: string): Promise<TestResponse> =>
  compute.client.get(`/os-server-groups/${id}`, at(minor, token));

async function list(query = '', token?: string): Promise<Group[]> {
  const { body } = await compute.client.get(`/os-server-groups${query}`, at(64, token));
  return (body as { server_groups: Group[] }).server_groups;
}

describe('a server group', () => {
  it('has a list of one policy until 2.63', async () => {
    const { body } = await post({ name: 'db', policies: ['affinity'] }, 1);
    const id = expect.any(String);
    const plain = { id, name: 'db', policies: ['affinity'], metadata: {}, members: [] };
    expect(body).toEqual({ server_group: plain });
    const [{ id: made } = { id: '' }] = await list();
    expect((await show(made, 13)).body).toEqual({
      server_group: { ...plain, project_id: compute.projectId, user_id: expect.any(String) },
    });
  });

  it('has a policy with rules since 2.64', async () => {
    const rules = { max_server_per_host: 2 };
    const group = await created({ rules: { max_server_per_host: '2' } });
    expect(group).toEqual({
      id: group.id,
      name: 'web',
      policy: 'anti-affinity',
      rules,
      members: [],
      project_id: compute.projectId,
      user_id: group['user_id'],
    });
    expect((await show(group.id)).body).toEqual({ server_group: group });
    expect(await created({ policy: 'soft-affinity' })).toMatchObject({ rules: {} });
  });

  const policies =
    'server_group.policies must be a list of one of affinity, anti-affinity before microversion 2.15.';
  it.each([
    [1, { name: 'x', policies: ['soft-affinity'] }, policies],
    [1, { name: 'x', policies: [] }, 'server_group.policies must be a list of one of'],
    [1, { name: 'x', policies: ['affinity', 'affinity'] }, 'server_group.policies must be a list'],
    [1, { name: 'x', policies: ['legacy'] }, 'server_group.policies must be a list of one of'],
    [1, { name: 'x' }, 'server_group.policies is required.'],
    [63, { name: 'x', policy: 'affinity' }, 'server_group.policy is not a property'],
    [64, { name: 'x', policies: ['affinity'] }, 'server_group.policies is not a property'],
    [64, { name: 'x' }, 'server_group.policy is required.'],
    [64, { name: 'x', policy: 'legacy' }, 'server_group.policy must be one of'],
    [64, { name: ' ', policy: 'affinity' }, 'server_group.name must hold printable characters'],
    [64, { name: 'a\u0007', policy: 'affinity' }, 'server_group.name must hold printable'],
    [64, { policy: 'affinity' }, 'server_group.name is required'],
    [
      64,
      { name: 'x', policy: 'affinity', rules: { max_server_per_host: 3 } },
      'Only anti-affinity policy supports rules.',
    ],
    [
      64,
      { name: 'x', policy: 'anti-affinity', rules: { max_server_per_host: 0 } },
      'server_group.rules.max_server_per_host must not be less than 1',
    ],
    [
      64,
      { name: 'x', policy: 'anti-affinity', rules: { most: 1 } },
      'server_group.rules.most is not',
    ],
  ])('is refused in 2.%i as %j', async (minor, group, message) => {
    expectError(await post(group, minor), 400, 'badRequest', new RegExp(message));
    expect(await list()).toEqual([]);
  });

  it('counts in the quota', async () => {
    for (const name of ['a', 'b', 'c']) await created({ name });
    const refused = await post({ name: 'd', policy: 'affinity' });
    expectError(refused, 403, 'forbidden', 'Quota exceeded, too many server groups.');
    const { body } = await compute.client.get('/limits', { token: compute.token });
    expect(body).toMatchObject({
      limits: { absolute: { maxServerGroups: 3, totalServerGroupsUsed: 3 } },
    });
  });

  it('is visible to its project and to administrators', async () => {
    const { id } = await created();
    const other = await compute.tokens.issue(['member', 'reader'], { projectId: newId() });
    const words = `Instance group ${id} could not be found.`;
    expectError(await show(id, 64, other), 404, 'itemNotFound', words);
    expect((await show(id, 64, admin)).status).toBe(200);
    expect(await list('', other)).toEqual([]);
    expect(await list('?all_projects=true', other)).toEqual([]);
    expect(await list('', admin)).toEqual([]);
    expect(await list('?all_projects=true', admin)).toMatchObject([{ id }]);
  });

  it('is on the requested page', async () => {
    for (const name of ['a', 'b', 'c']) await created({ name });
    expect(await list('?limit=1&offset=1')).toMatchObject([{ name: 'b' }]);
    const bad = await compute.client.get('/os-server-groups?limit=-1', at(64));
    expectError(bad, 400, 'badRequest', /limit must not be less than 0/);
  });

  it('is deleted once, and unknown by any other id', async () => {
    const { id } = await created();
    const remove = (): Promise<TestResponse> =>
      compute.client.delete(`/os-server-groups/${id}`, at(64));
    expect((await remove()).status).toBe(204);
    expectError(await remove(), 404, 'itemNotFound', `Instance group ${id} could not be found.`);
    expect((await show('web')).status).toBe(404);
  });
});

describe('the servers of a group', () => {
  const serverIn = (group: string, server: object = {}): Promise<TestResponse> =>
    compute.client.post('/servers', {
      token: compute.token,
      body: {
        server: { name: 'one', imageRef: compute.images.bootable, flavorRef: '1', ...server },
        'os:scheduler_hints': { group },
      },
    });

  it('are its members until they are deleted', async () => {
    const { id: group } = await created({ policy: 'affinity' });
    const { body } = await serverIn(group);
    const { id } = (body as { server: { id: string } }).server;
    await compute.settle();
    expect((await show(group)).body).toMatchObject({ server_group: { members: [id] } });
    const shown = await compute.client.get(`/servers/${id}`, at(71));
    expect(shown.body).toMatchObject({ server: { status: 'ACTIVE', server_groups: [group] } });
    await compute.deleteServers();
    expect((await show(group)).body).toMatchObject({ server_group: { members: [] } });
  });

  it('stay when it is deleted', async () => {
    const { id: group } = await created();
    const { body } = await serverIn(group);
    const { id } = (body as { server: { id: string } }).server;
    await compute.client.delete(`/os-server-groups/${group}`, at(64));
    const shown = await compute.client.get(`/servers/${id}`, at(71));
    expect(shown.body).toMatchObject({ server: { server_groups: [] } });
  });

  it('are limited by its quota, which refuses a request as a whole', async () => {
    const { id: group } = await created({ policy: 'soft-affinity' });
    expectError(
      await serverIn(group, { min_count: 3 }),
      403,
      'forbidden',
      'Quota exceeded, too many servers in group',
    );
    const { body } = await compute.client.get('/servers', { token: compute.token });
    expect(body).toEqual({ servers: [] });
    expect((await serverIn(group, { min_count: 2 })).status).toBe(202);
  });

  it('are refused for a group that is unknown, or of another project', async () => {
    const unknown = unknownId();
    const words = (id: string): string => `Instance group ${id} could not be found.`;
    expectError(await serverIn(unknown), 400, 'badRequest', words(unknown));
    const { body } = await compute.client.post('/os-server-groups', {
      ...at(64, admin),
      body: { server_group: { name: 'theirs', policy: 'affinity' } },
    });
    const { id } = (body as { server_group: Group }).server_group;
    expectError(await serverIn(id), 400, 'badRequest', words(id));
  });

  it('are refused a host that the policy forbids, as their fault says', async () => {
    const { id: group } = await created();
    await serverIn(group);
    await compute.settle();
    const { body } = await serverIn(group);
    await compute.settle();
    const { id } = (body as { server: { id: string } }).server;
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: {
        message: expect.stringContaining(
          'ServerGroupAntiAffinityFilter refused 1 of 1 (with a server of the group)',
        ),
      },
    });
  });
});
