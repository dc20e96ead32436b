import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  clearGrants,
  grant,
  loginAs,
  makeRole,
  onDomain,
  onProject,
  rolesOf,
  send,
  startGrantWorld,
  statusOf,
  tokenFor,
  type GrantWorld,
} from './grants.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
  await makeRole(world, 'acme-role', 'acme');
});
afterEach(() => clearGrants(world));
afterAll(() => world.identity.stop());

const status = async (method: string, path: string): Promise<number> =>
  (await send(world, method, path)).status;

async function namesAt(path: string): Promise<string[]> {
  const response = await send(world, 'GET', path);
  expect([path, response.status]).toEqual([path, 200]);
  return (response.body as { roles: { name: string }[] }).roles.map(({ name }) => name);
}

/** Each family of paths, the list first and then a grant in it. */
const FAMILIES = [
  'projects/top/users/alice',
  'projects/top/groups/devs',
  'domains/acme/users/alice',
  'domains/acme/groups/devs',
  'OS-INHERIT/projects/top/users/alice',
  'OS-INHERIT/projects/top/groups/devs',
  'OS-INHERIT/domains/acme/users/alice',
  'OS-INHERIT/domains/acme/groups/devs',
].map((place) => {
  const suffix = place.startsWith('OS-INHERIT') ? '/inherited_to_projects' : '';
  return {
    list: `${place}/roles${suffix}`,
    grantOf: (role: string) => `${place}/roles/${role}${suffix}`,
  };
});

describe.each(FAMILIES)('a role at $list', ({ list, grantOf }) => {
  it('is granted, checked, listed and revoked', async () => {
    const path = grantOf('member');
    expect(await status('HEAD', path)).toBe(404);
    expect(await status('PUT', path)).toBe(204);
    expect(await status('HEAD', path)).toBe(204);
    expect(await status('GET', path)).toBe(204);
    expect(await namesAt(list)).toEqual(['member']);
    expect(await status('DELETE', path)).toBe(204);
    expect(await namesAt(list)).toEqual([]);
  });

  it('is granted a second time without an error, and once', async () => {
    expect(await status('PUT', grantOf('reader'))).toBe(204);
    expect(await status('PUT', grantOf('reader'))).toBe(204);
    expect(await namesAt(list)).toEqual(['reader']);
  });

  it('is not found for another target or actor', async () => {
    await grant(world, grantOf('member'));
    const others = FAMILIES.filter((one) => one.list !== list);
    for (const other of others) expect(await namesAt(other.list)).toEqual([]);
  });
});

describe('a list of grants', () => {
  it('shows the roles as roles', async () => {
    await grant(world, 'projects/top/users/alice/roles/acme-role');
    const response = await send(world, 'GET', 'projects/top/users/alice/roles');
    expect(response.body).toEqual({
      roles: [
        {
          id: 'acme-role',
          name: 'acme-role',
          domain_id: 'acme',
          description: null,
          options: {},
          links: { self: `${world.client.baseUrl}/v3/roles/acme-role` },
        },
      ],
      links: {
        next: null,
        self: `${world.client.baseUrl}/v3/projects/top/users/alice/roles`,
        previous: null,
      },
    });
  });

  it('leaves out what a group, an inherited or an implied role gives', async () => {
    await grant(world, 'projects/top/groups/devs/roles/reader');
    await grant(world, 'OS-INHERIT/domains/acme/users/alice/roles/service/inherited_to_projects');
    await grant(world, 'projects/top/users/alice/roles/admin');
    expect(await namesAt('projects/top/users/alice/roles')).toEqual(['admin']);
  });
});

describe('what is not there', () => {
  it.each([
    ['role', 'projects/top/users/alice/roles/nothing'],
    ['user', 'projects/top/users/nothing/roles/member'],
    ['group', 'domains/acme/groups/nothing/roles/member'],
    ['project', 'projects/nothing/groups/devs/roles/member'],
    ['domain', 'domains/nothing/users/alice/roles/member'],
    ['project', 'OS-INHERIT/projects/nothing/users/alice/roles/member/inherited_to_projects'],
  ])('is named: a %s', async (kind, path) => {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const response = await send(world, method, path);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({
        error: { message: `Could not find ${kind}: nothing.` },
      });
    }
  });

  it('is named by lists too', async () => {
    expect(await status('GET', 'projects/nothing/users/alice/roles')).toBe(404);
    expect(await status('GET', 'projects/top/users/nothing/roles')).toBe(404);
  });

  it('is the grant itself', async () => {
    const path = 'projects/top/users/alice/roles/member';
    for (const method of ['GET', 'DELETE']) {
      const response = await send(world, method, path);
      expect(response.status).toBe(404);
      expect(response.text).toContain(
        `Could not find role assignment with role: ${world.roles['member'] ?? ''}, user or group: alice, project, domain, or system: top.`,
      );
    }
  });
});

describe('a role of a domain', () => {
  it('is granted on the domain and on its projects', async () => {
    expect(await grant(world, 'projects/top/users/alice/roles/acme-role')).toBe(204);
    expect(await grant(world, 'domains/acme/groups/devs/roles/acme-role')).toBe(204);
  });

  it('is granted to users of other domains too', async () => {
    expect(await grant(world, 'projects/top/users/gina/roles/acme-role')).toBe(204);
  });

  it('is refused on projects of another domain', async () => {
    for (const path of [
      'projects/far/users/alice/roles/acme-role',
      'OS-INHERIT/projects/far/groups/devs/roles/acme-role/inherited_to_projects',
    ]) {
      const response = await send(world, 'PUT', path);
      expect([path, response.status]).toEqual([path, 403]);
      expect(response.text).toContain('acme-role is of the domain acme');
    }
  });

  it('is granted on another domain, as in Keystone', async () => {
    for (const path of [
      'domains/globex/users/alice/roles/acme-role',
      'OS-INHERIT/domains/globex/groups/devs/roles/acme-role/inherited_to_projects',
    ]) {
      expect([path, await grant(world, path)]).toEqual([path, 204]);
      expect(await status('HEAD', path)).toBe(204);
    }
  });

  it('gives only its implied roles on another domain', async () => {
    await grant(world, 'domains/globex/users/gina/roles/reader');
    await grant(world, 'domains/globex/users/gina/roles/acme-role');
    expect(await rolesOf(world, 'gina', onDomain('globex'))).toEqual(['reader']);
  });

  it('goes with its domain, wherever it is granted', async () => {
    const { dataSource } = world.identity.app;
    await dataSource.query(`INSERT INTO domains (id, name) VALUES ('short', 'Short')`);
    await dataSource.query(
      `INSERT INTO projects (id, domain_id, name) VALUES ('brief', 'short', 'brief')`,
    );
    await makeRole(world, 'short-role', 'short');
    await grant(world, 'projects/brief/users/alice/roles/short-role');
    await grant(world, 'domains/short/groups/devs/roles/short-role');
    await dataSource.query(`DELETE FROM domains WHERE id = 'short'`);
    expect(await status('GET', 'roles/short-role')).toBe(404);
  });
});

describe('an inherited grant', () => {
  it('of a project counts below it and not on it', async () => {
    await grant(world, 'OS-INHERIT/projects/top/users/alice/roles/reader/inherited_to_projects');
    expect(await rolesOf(world, 'alice', onProject('top'))).toEqual([]);
    expect(await rolesOf(world, 'alice', onProject('middle'))).toEqual(['reader']);
    expect(await rolesOf(world, 'alice', onProject('leaf'))).toEqual(['reader']);
    expect(await rolesOf(world, 'alice', onProject('side'))).toEqual([]);
  });

  it('of a domain counts on all of its projects and not on it', async () => {
    await grant(world, 'OS-INHERIT/domains/acme/groups/devs/roles/reader/inherited_to_projects');
    expect(await rolesOf(world, 'alice', onDomain('acme'))).toEqual([]);
    expect(await rolesOf(world, 'alice', onProject('side'))).toEqual(['reader']);
    expect(await rolesOf(world, 'bob', onProject('leaf'))).toEqual(['reader']);
    expect(await rolesOf(world, 'bob', onProject('far'))).toEqual([]);
  });
});

describe('a revoked grant', () => {
  it.each([
    ['projects/top/users/alice/roles/reader', onProject('top')],
    ['projects/top/groups/devs/roles/reader', onProject('top')],
    ['domains/acme/users/alice/roles/reader', onDomain('acme')],
    ['domains/acme/groups/devs/roles/reader', onDomain('acme')],
    ['OS-INHERIT/projects/top/users/alice/roles/reader/inherited_to_projects', onProject('leaf')],
    ['OS-INHERIT/domains/acme/groups/devs/roles/reader/inherited_to_projects', onProject('side')],
  ])('revokes the tokens by it at once: %s', async (path, scope) => {
    await grant(world, path);
    const token = await tokenFor(world, 'alice', scope);
    expect(await statusOf(world, token)).toBe(200);
    expect(await status('DELETE', path)).toBe(204);
    expect(await statusOf(world, token)).toBe(401);
    expect((await loginAs(world, 'alice', scope)).status).toBe(401);
  });

  it('revokes those of each member of the group', async () => {
    await grant(world, 'projects/top/groups/devs/roles/reader');
    const tokens = [
      await tokenFor(world, 'alice', onProject('top')),
      await tokenFor(world, 'bob', onProject('top')),
    ];
    await send(world, 'DELETE', 'projects/top/groups/devs/roles/reader');
    for (const token of tokens) expect(await statusOf(world, token)).toBe(401);
  });

  it('leaves alone the tokens of other projects and of other users', async () => {
    await grant(world, 'projects/top/users/alice/roles/reader');
    await grant(world, 'projects/side/users/alice/roles/reader');
    await grant(world, 'projects/top/users/bob/roles/reader');
    const others = [
      await tokenFor(world, 'alice', onProject('side')),
      await tokenFor(world, 'bob', onProject('top')),
    ];
    await send(world, 'DELETE', 'projects/top/users/alice/roles/reader');
    for (const token of others) expect(await statusOf(world, token)).toBe(200);
  });

  it('is revoked from a group without members too', async () => {
    await grant(world, 'projects/top/groups/empty/roles/reader');
    expect(await status('DELETE', 'projects/top/groups/empty/roles/reader')).toBe(204);
  });

  it('does not affect other grants', async () => {
    await grant(world, 'projects/top/users/alice/roles/member');
    await grant(world, 'projects/top/users/alice/roles/service');
    await send(world, 'DELETE', 'projects/top/users/alice/roles/member');
    expect(await rolesOf(world, 'alice', onProject('top'))).toEqual(['service']);
  });
});
