import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  clearGrants,
  grant,
  makeRole,
  onProject,
  onSystem,
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

describe.each(['users/alice', 'groups/devs'])('a role on the system of %s', (actor) => {
  const list = `system/${actor}/roles`;
  const path = `${list}/reader`;

  it('is granted, checked, listed and revoked', async () => {
    expect((await send(world, 'GET', path)).status).toBe(404);
    expect(await grant(world, path)).toBe(204);
    expect(await grant(world, path)).toBe(204);
    for (const method of ['GET', 'HEAD'])
      expect((await send(world, method, path)).status).toBe(204);
    const response = await send(world, 'GET', list);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      roles: [{ name: 'reader', domain_id: null }],
      links: { self: `${world.client.baseUrl}/v3/${list}` },
    });
    expect((await send(world, 'DELETE', path)).status).toBe(204);
    expect((await send(world, 'GET', list)).body).toMatchObject({ roles: [] });
  });

  it('is valid for tokens of the system only', async () => {
    await grant(world, path);
    expect(await rolesOf(world, 'alice', onSystem)).toEqual(['reader']);
    expect(await rolesOf(world, 'alice', onProject('top'))).toEqual([]);
  });

  it('revokes its tokens when it is revoked', async () => {
    await grant(world, path);
    const token = await tokenFor(world, 'alice', onSystem);
    await send(world, 'DELETE', path);
    expect(await statusOf(world, token)).toBe(401);
  });

  it('cannot be a role of a domain', async () => {
    const response = await send(world, 'PUT', `${list}/acme-role`);
    expect(response.status).toBe(400);
    expect(response.text).toContain('acme-role');
  });

  it('names what is not there', async () => {
    const role = await send(world, 'PUT', `${list}/nothing`);
    expect(role.status).toBe(404);
    expect(role.text).toContain('Could not find role: nothing.');
    const [kind] = actor.split('s/');
    const unknown = await send(world, 'PUT', `system/${kind ?? ''}s/nobody/roles/reader`);
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain(`Could not find ${kind ?? ''}: nobody.`);
  });

  it('is allowed for administrators, and read by readers of the system', async () => {
    await grant(world, 'system/users/bob/roles/reader');
    const reader = await tokenFor(world, 'bob', onSystem);
    const refused = await send(world, 'PUT', path, reader);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(
      `identity:create_system_grant_for_${actor.startsWith('users') ? 'user' : 'group'}`,
    );
    expect((await send(world, 'GET', list, reader)).status).toBe(200);
  });
});
