/** Projects, as administrators manage them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  grant,
  type GrantWorld,
  loginAs,
  makeProject,
  onDomain,
  onProject,
  onSystem,
  sendProject,
  startGrantWorld,
  statusOf,
  tokenFor,
} from '../grants/grants.fixture.js';
import { messageOf, resourceIn } from '../identity.fixture.js';

let world: GrantWorld;
/** Administrators of the domain acme and of the project side in it; a member of that project. */
let boss: string;
let sideAdmin: string;
let member: string;

beforeAll(async () => {
  world = await startGrantWorld();
  await grant(world, 'domains/acme/users/boss/roles/admin');
  await grant(world, 'projects/side/users/boss/roles/admin');
  await grant(world, 'projects/side/users/bob/roles/member');
  boss = await tokenFor(world, 'boss', onDomain('acme'));
  sideAdmin = await tokenFor(world, 'boss', onProject('side'));
  member = await tokenFor(world, 'bob', onProject('side'));
});
afterAll(() => world.identity.stop());

const create = (project: object, token?: string): Promise<TestResponse> =>
  sendProject(world, 'POST', '', { project, token });

const patch = (id: string, project: object, token?: string): Promise<TestResponse> =>
  sendProject(world, 'PATCH', `/${id}`, { project, token });

const remove = (id: string, token?: string): Promise<TestResponse> =>
  sendProject(world, 'DELETE', `/${id}`, { token });

describe('a new project', () => {
  it('is shown with what it was given, properties of its own too', async () => {
    const given = { name: 'given', domain_id: 'acme', description: 'A project.', enabled: false };
    const more = { tags: ['b', 'a'], options: { immutable: false }, colour: 'blue', size: [1] };
    const project = await makeProject(world, { ...given, ...more });
    expect(project).toEqual({
      ...given,
      ...more,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      parent_id: 'acme',
      is_domain: false,
      links: { self: `${world.client.baseUrl}/v3/projects/${project.id}` },
    });
    expect((await sendProject(world, 'GET', `/${project.id}`)).body).toEqual({ project });
  });

  it('is enabled and blank by default', async () => {
    const blank = { description: '', enabled: true, tags: [], options: {}, parent_id: 'acme' };
    expect(await makeProject(world, { name: 'blank' })).toMatchObject(blank);
    const nulls = { name: ' null ', description: null, parent_id: null, is_domain: null };
    expect(await makeProject(world, nulls)).toMatchObject({ ...blank, name: 'null' });
  });

  it('has a random ID, whatever the body contains', async () => {
    const { id } = await makeProject(world, { name: 'identified', id: 'mine', links: {} });
    expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is in the caller's domain where it names none", async () => {
    expect(resourceIn(await create({ name: 'of boss' }, boss), 'project')).toMatchObject({
      domain_id: 'acme',
    });
    expect(resourceIn(await create({ name: 'of side' }, sideAdmin), 'project')).toMatchObject({
      domain_id: 'acme',
    });
    expect(resourceIn(await create({ name: 'of admin' }), 'project')).toMatchObject({
      domain_id: 'default',
    });
    await world.identity.app.dataSource.query(
      `INSERT INTO role_assignments (id, user_id, role_id, on_system)
       VALUES ('system', 'gina', $1, true)`,
      [world.roles['admin']],
    );
    const gina = await tokenFor(world, 'gina', onSystem);
    expect(resourceIn(await create({ name: 'of gina' }, gina), 'project')).toMatchObject({
      domain_id: 'default',
    });
  });

  it('has a name that is unique in its domain', async () => {
    const response = await create({ name: 'side', domain_id: 'acme' });
    expect(response.status).toBe(409);
    expect(messageOf(response)).toBe(
      "A project with the name 'side' exists already in the domain acme.",
    );
    expect(await makeProject(world, { name: 'side', domain_id: 'globex' })).toBeDefined();
    expect(await makeProject(world, { name: 'Side' })).toBeDefined();
  });

  it('requires an existing, enabled domain', async () => {
    await world.identity.app.dataSource.query(
      `INSERT INTO domains (id, name, enabled) VALUES ('asleep', 'asleep', false)`,
    );
    const unknown = await create({ name: 'x', domain_id: 'nowhere' });
    expect([unknown.status, messageOf(unknown)]).toEqual([
      400,
      "Invalid input: project.domain_id 'nowhere' is not the id of a domain.",
    ]);
    const disabled = await create({ name: 'x', domain_id: 'asleep' });
    expect([disabled.status, messageOf(disabled)]).toEqual([
      400,
      'Invalid input: a project cannot be created below asleep, which is disabled.',
    ]);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' ' }],
    ['a name of 65 characters', { name: 'a'.repeat(65) }],
    ['a description that is no text', { name: 'x', description: 7 }],
    ['a switch that is none', { name: 'x', enabled: 'perhaps' }],
    ['an unknown option', { name: 'x', options: { colour: 'blue' } }],
    ['81 tags', { name: 'x', tags: Array.from({ length: 81 }, (_, at) => `t${at}`) }],
    ['a tag of 256 characters', { name: 'x', tags: ['a'.repeat(256)] }],
    ['a tag with a slash', { name: 'x', tags: ['a/b'] }],
    ['a parent that is no text', { name: 'x', parent_id: 7 }],
    ['too many properties', { name: 'x', ...Object.fromEntries([...Array(65).keys()].entries()) }],
  ])('is refused with %s', async (_, project) => {
    expect((await create(project)).status).toBe(400);
  });

  it('is made by administrators, those of a domain within it', async () => {
    expect((await create({ name: 'x', domain_id: 'globex' }, boss)).status).toBe(403);
    expect((await create({ name: 'x', domain_id: 'acme' }, member)).status).toBe(403);
    expect((await create({ name: 'by boss', domain_id: 'acme' }, boss)).status).toBe(201);
  });
});

describe('a project', () => {
  it('is shown to those who have a role on it, and to administrators', async () => {
    for (const token of [world.admin, boss, sideAdmin, member])
      expect((await sendProject(world, 'GET', '/side', { token })).status).toBe(200);
    expect((await sendProject(world, 'GET', '/top', { token: member })).status).toBe(403);
    expect((await sendProject(world, 'GET', '/far', { token: boss })).status).toBe(403);
    expect((await sendProject(world, 'GET', '/nowhere', { token: boss })).status).toBe(403);
  });

  it('is not found if it does not exist', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const project = method === 'PATCH' ? { name: 'x' } : undefined;
      const response = await sendProject(world, method, '/nowhere', { project });
      expect([method, response.status]).toEqual([method, 404]);
      expect(messageOf(response)).toBe('Could not find project: nowhere.');
    }
  });

  it('changes only in the given properties', async () => {
    const project = await makeProject(world, { name: 'old', description: 'Old.', a: 1, b: 2 });
    const change = { name: ' new ', tags: ['x'], b: 3, options: { immutable: false } };
    const response = await patch(project.id, change);
    const after = { ...project, ...change, name: 'new' };
    expect(response.body).toEqual({ project: after });
    expect((await sendProject(world, 'GET', `/${project.id}`)).body).toEqual({ project: after });
    const cleared = await patch(project.id, { description: null, options: { immutable: null } });
    expect(resourceIn(cleared, 'project')).toEqual({ ...after, description: '', options: {} });
  });

  it('accepts what a client has read', async () => {
    const project = await makeProject(world, { name: 'echo', colour: 'blue' });
    expect((await patch(project.id, project)).body).toEqual({ project });
  });

  it.each([
    ['another id', 400, { id: 'other' }],
    ['another domain', 400, { domain_id: 'globex' }],
    ['no domain', 400, { domain_id: null }],
    ['being a domain', 400, { is_domain: true }],
    ['a name of nothing', 400, { name: null }],
    ['another parent', 403, { parent_id: 'side' }],
    ['no parent', 403, { parent_id: null }],
  ])('is not changed by a body with %s', async (_, status, change) => {
    expect((await patch('top', change)).status).toBe(status);
  });

  it('keeps its name if the new one is in use in its domain', async () => {
    const response = await patch('top', { name: 'side' });
    expect(response.status).toBe(409);
    expect(messageOf(response)).toContain("'side'");
    expect(resourceIn(await sendProject(world, 'GET', '/top'), 'project')).toMatchObject({
      name: 'top',
    });
  });

  it('is changed and deleted by administrators of its domain, not of another', async () => {
    const { id } = await makeProject(world, { name: 'ours' });
    expect((await patch(id, { description: 'x' }, member)).status).toBe(403);
    expect((await patch('far', { description: 'x' }, boss)).status).toBe(403);
    expect((await remove('far', boss)).status).toBe(403);
    expect((await remove(id, member)).status).toBe(403);
    expect((await patch(id, { description: 'x' }, boss)).status).toBe(200);
    expect((await remove(id, boss)).status).toBe(204);
  });

  it('is neither changed nor deleted while it is immutable', async () => {
    const { id } = await makeProject(world, { name: 'fixed', options: { immutable: true } });
    const both = { name: 'loose', options: { immutable: false } };
    for (const change of [{ name: 'loose' }, { enabled: false }, { colour: 'blue' }, both]) {
      const response = await patch(id, change);
      expect([change, response.status]).toEqual([change, 403]);
      expect(messageOf(response)).toContain('immutable');
    }
    expect((await remove(id)).status).toBe(403);
    expect((await patch(id, { options: { immutable: false } })).status).toBe(200);
    expect((await remove(id)).status).toBe(204);
  });
});

describe('the end of a project', () => {
  it('revokes its tokens when it is disabled, and no others', async () => {
    const { id } = await makeProject(world, { name: 'asleep' });
    await grant(world, `projects/${id}/users/alice/roles/member`);
    await grant(world, `projects/top/users/alice/roles/member`);
    const token = await tokenFor(world, 'alice', onProject(id));
    const other = await tokenFor(world, 'alice', onProject('top'));
    expect((await patch(id, { enabled: false })).body).toMatchObject({
      project: { enabled: false },
    });
    expect(await statusOf(world, token)).toBe(401);
    expect(await statusOf(world, other)).toBe(200);
    expect((await loginAs(world, 'alice', onProject(id))).status).toBe(401);
    expect((await patch(id, { enabled: true })).status).toBe(200);
    expect(await statusOf(world, token)).toBe(401);
    expect((await loginAs(world, 'alice', onProject(id))).status).toBe(201);
  });

  it('revokes its tokens and its assignments when it is deleted', async () => {
    const { id } = await makeProject(world, { name: 'gone' });
    await grant(world, `projects/${id}/users/alice/roles/member`);
    const token = await tokenFor(world, 'alice', onProject(id));
    expect((await remove(id)).status).toBe(204);
    expect(await statusOf(world, token)).toBe(401);
    expect((await sendProject(world, 'GET', `/${id}`)).status).toBe(404);
    const { dataSource } = world.identity.app;
    expect(
      await dataSource.query('SELECT FROM role_assignments WHERE project_id = $1', [id]),
    ).toEqual([]);
  });

  it('unsets it as the default project of users', async () => {
    const { id } = await makeProject(world, { name: 'default' });
    const { dataSource } = world.identity.app;
    await dataSource.query(`UPDATE users SET default_project_id = $1 WHERE id = 'alice'`, [id]);
    expect((await remove(id)).status).toBe(204);
    const user = await world.client.get('/v3/users/alice', { token: world.admin });
    expect(user.status).toBe(200);
    expect(user.text).not.toContain(id);
  });

  it.each([
    ['delete', () => remove('side', sideAdmin)],
    ['disable', () => patch('side', { enabled: false }, sideAdmin)],
  ])("is refused for the project of the caller's token: %s", async (what, ask) => {
    const response = await ask();
    expect([response.status, messageOf(response)]).toEqual([
      409,
      `Cannot ${what} the project side: the token of this request is scoped to it.`,
    ]);
    expect(await statusOf(world, sideAdmin)).toBe(200);
  });
});
