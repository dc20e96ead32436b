/** Projects and domains that a user reaches, by itself or by its groups, directly or by inheritance. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  clearGrants,
  grant,
  type GrantWorld,
  imply,
  loginAs,
  makeRole,
  onProject,
  projectNames,
  startGrantWorld,
  tokenFor,
} from '../grants/grants.fixture.js';
import { signedIn } from '../identity.fixture.js';

let world: GrantWorld;
let unscoped: string;

beforeAll(async () => {
  world = await startGrantWorld();
  await makeRole(world, 'gardener', 'acme');
  await makeRole(world, 'keeper', 'acme');
  await imply(world, 'keeper', 'reader');
  unscoped = signedIn(await loginAs(world, 'alice', { unscoped: {} }));
});
beforeEach(() => clearGrants(world));
afterAll(() => world.identity.stop());

const projects = (): Promise<string[]> => projectNames(world, 'users/alice/projects');

const scopes = (): Promise<string[]> => projectNames(world, 'auth/projects', unscoped);

async function domains(): Promise<string[]> {
  const response = await world.client.get('/v3/auth/domains', { token: unscoped });
  return (response.body as { domains: { name: string }[] }).domains.map(({ name }) => name);
}

const inherited = (target: string, role: string): Promise<number> =>
  grant(world, `OS-INHERIT/${target}/roles/${role}/inherited_to_projects`);

describe('the projects of a user', () => {
  it.each([
    ['its own role', 'projects/top/users/alice/roles/member', ['top']],
    ['the role of a group', 'projects/top/groups/devs/roles/member', ['top']],
    ['the role of a group that it is not in', 'projects/top/groups/crew/roles/member', []],
    ['the role of another', 'projects/top/users/bob/roles/member', []],
    ['a role on a domain', 'domains/acme/users/alice/roles/member', []],
    ['a role of the domain that implies one', 'projects/top/users/alice/roles/keeper', ['top']],
    ['a role of the domain that implies none', 'projects/top/users/alice/roles/gardener', []],
  ])('are those of %s', async (_, path, expected) => {
    expect(await grant(world, path)).toBe(204);
    expect(await projects()).toEqual(expected);
    expect(await scopes()).toEqual(expected);
  });

  it.each([
    ['a domain', 'domains/acme/users/alice', ['leaf', 'middle', 'side', 'top']],
    ['a domain, by a group', 'domains/acme/groups/devs', ['leaf', 'middle', 'side', 'top']],
    ['a project', 'projects/top/users/alice', ['leaf', 'middle']],
    ['a project, by a group', 'projects/middle/groups/devs', ['leaf']],
    ['a leaf', 'projects/leaf/users/alice', []],
  ])('are all below %s whose role they inherit', async (_, target, expected) => {
    expect(await inherited(target, 'member')).toBe(204);
    expect(await projects()).toEqual(expected);
    expect(await scopes()).toEqual(expected);
  });

  it('are listed once, however the user reaches them', async () => {
    await grant(world, 'projects/leaf/users/alice/roles/member');
    await grant(world, 'projects/leaf/users/alice/roles/reader');
    await grant(world, 'projects/leaf/groups/devs/roles/member');
    await inherited('projects/middle/users/alice', 'member');
    expect(await projects()).toEqual(['leaf']);
  });

  it('can be scopes of tokens', async () => {
    await inherited('projects/top/groups/devs', 'member');
    for (const id of await scopes())
      expect((await loginAs(world, 'alice', onProject(id))).status).toBe(201);
  });

  it('are scopes only while they and their domains are enabled', async () => {
    const { dataSource } = world.identity.app;
    await grant(world, 'projects/far/users/alice/roles/member');
    await grant(world, 'projects/leaf/users/alice/roles/member');
    await dataSource.query(`UPDATE projects SET enabled = false WHERE id = 'leaf'`);
    await dataSource.query(`UPDATE domains SET enabled = false WHERE id = 'globex'`);
    expect(await scopes()).toEqual([]);
    expect(await projects()).toEqual(['far', 'leaf']);
    await dataSource.query('UPDATE projects SET enabled = true');
    await dataSource.query('UPDATE domains SET enabled = true');
  });

  it('are shown to the user and to administrators, and of no user that is not there', async () => {
    await grant(world, 'projects/top/users/alice/roles/reader');
    const alice = await tokenFor(world, 'alice', onProject('top'));
    expect(await projectNames(world, 'users/alice/projects', alice)).toEqual(['top']);
    const status = async (path: string, token: string): Promise<number> =>
      (await world.client.get(path, { token })).status;
    expect(await status('/v3/users/bob/projects', alice)).toBe(403);
    expect(await status('/v3/users/nobody/projects', world.admin)).toBe(404);
  });
});

describe('the domains of a user', () => {
  it.each([
    ['its own role', 'domains/acme/users/alice/roles/member', ['Acme']],
    ['the role of a group', 'domains/acme/groups/devs/roles/member', ['Acme']],
    ['a role on a project', 'projects/top/users/alice/roles/member', []],
    ['a role of the domain that implies none', 'domains/acme/users/alice/roles/gardener', []],
  ])('are those of %s', async (_, path, expected) => {
    expect(await grant(world, path)).toBe(204);
    expect(await domains()).toEqual(expected);
  });

  it('are none by a role that projects inherit', async () => {
    await inherited('domains/acme/users/alice', 'member');
    expect(await domains()).toEqual([]);
  });

  it('are scopes only while they are enabled', async () => {
    const { dataSource } = world.identity.app;
    await grant(world, 'domains/globex/users/alice/roles/member');
    await dataSource.query(`UPDATE domains SET enabled = false WHERE id = 'globex'`);
    expect(await domains()).toEqual([]);
    await dataSource.query('UPDATE domains SET enabled = true');
    expect(await domains()).toEqual(['Globex']);
  });
});
