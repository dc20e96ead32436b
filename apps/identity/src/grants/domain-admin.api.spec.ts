/** Administrators of one domain may grant nothing beyond it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  grant,
  imply,
  makeRole,
  onDomain,
  send,
  startGrantWorld,
  tokenFor,
  type GrantWorld,
} from './grants.fixture.js';

let world: GrantWorld;
let boss: string;

beforeAll(async () => {
  world = await startGrantWorld();
  await makeRole(world, 'acme-role', 'acme');
  await makeRole(world, 'globex-role', 'globex');
  await makeRole(world, 'deputy');
  await makeRole(world, 'acme-deputy', 'acme');
  await makeRole(world, 'robot');
  // No request can make a role imply admin; such a row must not help either.
  await imply(world, 'deputy', 'admin');
  await imply(world, 'acme-deputy', 'deputy');
  await imply(world, 'robot', 'service');
  await grant(world, 'domains/acme/users/boss/roles/admin');
  boss = await tokenFor(world, 'boss', onDomain('acme'));
});
afterAll(() => world.identity.stop());

/** The statuses of a grant and its revocation by the administrator of the domain. */
async function tried(path: string): Promise<{ granted: number; removed: number }> {
  const granted = await grant(world, path, boss);
  return { granted, removed: (await send(world, 'DELETE', path, boss)).status };
}

const DONE = { granted: 204, removed: 204 };
const REFUSED = { granted: 403, removed: 403 };

describe("a domain's administrator", () => {
  it.each([
    'projects/top/users/alice/roles/member',
    'projects/leaf/groups/devs/roles/reader',
    'projects/top/users/alice/roles/acme-role',
    'domains/acme/users/alice/roles/member',
    'OS-INHERIT/projects/top/users/alice/roles/member/inherited_to_projects',
    'OS-INHERIT/domains/acme/groups/devs/roles/reader/inherited_to_projects',
  ])('grants %s', async (path) => {
    expect(await tried(path)).toEqual(DONE);
  });

  it('makes others administrators of the domain', async () => {
    expect(await tried('domains/acme/users/alice/roles/admin')).toEqual(DONE);
    expect(await tried('domains/acme/groups/devs/roles/admin')).toEqual(DONE);
  });

  it.each([
    'projects/top/users/boss/roles/admin',
    'projects/top/groups/devs/roles/admin',
    'OS-INHERIT/projects/top/users/boss/roles/admin/inherited_to_projects',
    'OS-INHERIT/domains/acme/users/boss/roles/admin/inherited_to_projects',
    'OS-INHERIT/domains/acme/groups/devs/roles/admin/inherited_to_projects',
  ])('makes nobody an administrator of the cloud: %s', async (path) => {
    expect(await tried(path)).toEqual(REFUSED);
  });

  it.each([
    'projects/top/users/boss/roles/deputy',
    'projects/top/users/boss/roles/acme-deputy',
    'OS-INHERIT/domains/acme/users/boss/roles/acme-deputy/inherited_to_projects',
  ])('does not by a role that implies admin: %s', async (path) => {
    expect(await tried(path)).toEqual(REFUSED);
  });

  it('cannot bypass the rule by another spelling of the path', async () => {
    const admin = world.roles['admin'] ?? '';
    for (const path of [
      `OS-INHERIT/domains/acme/users/boss/roles/${admin}/inherited%5Fto_projects`,
      `OS-INHERIT/domains/acme/users/boss/roles/${admin}/%69nherited_to_projects`,
    ]) {
      expect((await send(world, 'PUT', path, boss)).status).toBe(403);
    }
    const list = 'OS-INHERIT/domains/acme/users/boss/roles/inherited_to_projects';
    expect((await send(world, 'GET', list)).body).toMatchObject({ roles: [] });
  });

  it.each([
    'projects/top/users/boss/roles/service',
    'domains/acme/users/boss/roles/service',
    'domains/acme/users/boss/roles/robot',
    'OS-INHERIT/domains/acme/users/boss/roles/robot/inherited_to_projects',
  ])('makes nobody a service: %s', async (path) => {
    expect(await tried(path)).toEqual(REFUSED);
  });

  it.each([
    'projects/top/users/gina/roles/member',
    'projects/top/groups/crew/roles/member',
    'projects/far/users/alice/roles/member',
    'domains/globex/users/alice/roles/member',
    'projects/top/users/alice/roles/globex-role',
    'domains/acme/users/alice/roles/globex-role',
    'OS-INHERIT/domains/globex/groups/devs/roles/member/inherited_to_projects',
    'system/users/boss/roles/member',
    'system/groups/devs/roles/member',
  ])('reaches into no other domain: %s', async (path) => {
    expect(await tried(path)).toEqual(REFUSED);
  });

  it('cannot revoke a grant that it could not have created', async () => {
    await grant(world, 'projects/top/users/alice/roles/admin');
    const path = 'projects/top/users/alice/roles/admin';
    expect((await send(world, 'DELETE', path, boss)).status).toBe(403);
    expect((await send(world, 'GET', path)).status).toBe(204);
  });

  it('sees the grants of its domain, and of no other', async () => {
    expect((await send(world, 'GET', 'projects/top/users/bob/roles', boss)).status).toBe(200);
    expect((await send(world, 'GET', 'domains/acme/groups/devs/roles', boss)).status).toBe(200);
    expect((await send(world, 'GET', 'projects/far/users/gina/roles', boss)).status).toBe(403);
    expect((await send(world, 'GET', 'system/users/bob/roles', boss)).status).toBe(403);
  });

  it('learns nothing of what does not exist', async () => {
    expect(await grant(world, 'projects/top/users/nobody/roles/member', boss)).toBe(403);
  });
});

describe("a domain's reader", () => {
  it('grants nothing', async () => {
    await grant(world, 'domains/acme/users/bob/roles/reader');
    const reader = await tokenFor(world, 'bob', onDomain('acme'));
    expect(await grant(world, 'projects/top/users/alice/roles/reader', reader)).toBe(403);
    expect((await send(world, 'GET', 'projects/top/users/alice/roles', reader)).status).toBe(200);
  });
});
