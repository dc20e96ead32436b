/** Roles on domains as projects. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  clearGrants,
  grant,
  makeRole,
  onDomain,
  onProject,
  rolesOf,
  startGrantWorld,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
  await makeRole(world, 'hand');
  await makeRole(world, 'acme-role', 'acme');
});
afterEach(() => clearGrants(world));
afterAll(() => world.identity.stop());

const PATH = 'projects/acme/users/alice/roles/hand';

const ask = async (method: string, path: string, token = world.admin): Promise<number> =>
  (await world.client.send(method, `/v3/${path}`, { token })).status;

async function assignments(query: string): Promise<unknown> {
  const { body } = await world.client.get(`/v3/role_assignments?${query}`, { token: world.admin });
  return (body as { role_assignments: unknown }).role_assignments;
}

describe('a role on a domain as a project', () => {
  it('is granted, checked, listed and taken back, beside one on the domain', async () => {
    expect(await ask('HEAD', PATH)).toBe(404);
    expect(await ask('PUT', PATH)).toBe(204);
    expect(await ask('PUT', PATH)).toBe(204);
    expect([await ask('HEAD', PATH), await ask('GET', PATH)]).toEqual([204, 204]);
    expect(await ask('HEAD', 'domains/acme/users/alice/roles/hand')).toBe(404);
    await grant(world, 'domains/acme/users/alice/roles/hand');
    const { body } = await world.client.get('/v3/projects/acme/users/alice/roles', {
      token: world.admin,
    });
    expect(body).toMatchObject({ roles: [{ id: 'hand' }] });
    expect(await ask('DELETE', PATH)).toBe(204);
    expect(await ask('HEAD', PATH)).toBe(404);
    expect(await ask('HEAD', 'domains/acme/users/alice/roles/hand')).toBe(204);
  });

  it('is granted to groups', async () => {
    await grant(world, 'projects/acme/groups/devs/roles/hand');
    expect(await ask('HEAD', 'projects/acme/groups/devs/roles/hand')).toBe(204);
    expect(await assignments('scope.project.id=acme&effective&user.id=bob')).toMatchObject([
      { user: { id: 'bob' }, scope: { project: { id: 'acme' } } },
    ]);
  });

  it.each(['', '&effective'])('is listed by its project, and not by the domain%s', async (mode) => {
    await grant(world, PATH);
    const listed = {
      role: { id: 'hand', name: 'hand' },
      user: { id: 'alice', name: 'alice', domain: { id: 'acme', name: 'Acme' } },
      scope: { project: { id: 'acme', name: 'Acme' } },
      links: { assignment: `${world.client.baseUrl}/v3/${PATH}` },
    };
    expect(await assignments(`scope.project.id=acme&include_names${mode}`)).toEqual([listed]);
    expect(await assignments(`user.id=alice&include_names${mode}`)).toEqual([listed]);
    expect(await assignments(`scope.domain.id=acme${mode}`)).toEqual([]);
  });

  it('is listed with those below it', async () => {
    await grant(world, PATH);
    await grant(world, 'projects/leaf/users/bob/roles/hand');
    await grant(world, 'projects/far/users/gina/roles/hand');
    expect(await assignments('scope.project.id=acme&include_subtree')).toMatchObject([
      { user: { id: 'alice' }, scope: { project: { id: 'acme' } } },
      { user: { id: 'bob' }, scope: { project: { id: 'leaf' } } },
    ]);
  });

  it('is inherited by the projects below', async () => {
    const path = `OS-INHERIT/${PATH}/inherited_to_projects`;
    await grant(world, path);
    expect(await ask('HEAD', path)).toBe(204);
    expect(await rolesOf(world, 'alice', onProject('leaf'))).toEqual(['hand']);
    const [shown] = (await assignments('user.id=alice')) as { links: object }[];
    expect(shown?.links).toEqual({ assignment: `${world.client.baseUrl}/v3/${path}` });
  });

  it('gives no token of the project or the domain', async () => {
    await grant(world, PATH);
    expect(await rolesOf(world, 'alice', onProject('acme'))).toEqual([]);
    expect(await rolesOf(world, 'alice', onDomain('acme'))).toEqual([]);
    const { body } = await world.client.get('/v3/users/alice/projects', { token: world.admin });
    expect((body as { projects: unknown }).projects).toEqual([]);
  });

  it('cannot be a role of a domain, or be granted by an administrator of the domain', async () => {
    expect(await ask('PUT', 'projects/acme/users/alice/roles/acme-role')).toBe(403);
    await grant(world, 'domains/acme/users/boss/roles/admin');
    const boss = await tokenFor(world, 'boss', onDomain('acme'));
    expect(await ask('PUT', PATH, boss)).toBe(403);
  });

  it('is a 404 on what is neither a project nor a domain', async () => {
    expect(await ask('PUT', 'projects/nothing/users/alice/roles/hand')).toBe(404);
    expect(await ask('GET', 'role_assignments?scope.project.id=nothing&include_subtree')).toBe(404);
  });
});
