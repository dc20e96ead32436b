import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  grant,
  imply,
  onDomain,
  onProject,
  startGrantWorld,
  statusOf,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
});
afterAll(() => world.identity.stop());

const get = (path: string, token = world.admin): Promise<TestResponse> =>
  world.client.get(path, { token });

const create = (role: object): Promise<TestResponse> =>
  world.client.post('/v3/roles', { token: world.admin, body: { role } });

const update = (id: string, role: object): Promise<TestResponse> =>
  world.client.patch(`/v3/roles/${id}`, { token: world.admin, body: { role } });

const remove = (id: string): Promise<TestResponse> =>
  world.client.delete(`/v3/roles/${id}`, { token: world.admin });

interface RoleBody {
  readonly id: string;
  readonly name: string;
}

const roleIn = (response: TestResponse): RoleBody => (response.body as { role: RoleBody }).role;

/** Makes a role by the API, for other helpers to find by its name. */
async function made(name: string, fields: object = {}): Promise<string> {
  const response = await create({ name, ...fields });
  expect(response.status).toBe(201);
  const { id } = roleIn(response);
  world.roles[name] = id;
  return id;
}

async function names(query: string, token?: string): Promise<string[]> {
  const response = await get(`/v3/roles${query}`, token);
  expect(response.status).toBe(200);
  return (response.body as { roles: RoleBody[] }).roles.map(({ name }) => name);
}

const message = (response: TestResponse): string =>
  (response.body as { error: { message: string } }).error.message;

describe('POST /v3/roles', () => {
  it('creates a global role', async () => {
    const response = await create({ name: 'operator', description: 'Operates.' });
    expect(response.status).toBe(201);
    const { id } = roleIn(response);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const role = {
      id,
      name: 'operator',
      domain_id: null,
      description: 'Operates.',
      options: {},
      links: { self: `${world.client.baseUrl}/v3/roles/${id}` },
    };
    expect(response.body).toEqual({ role });
    expect((await get(`/v3/roles/${id}`)).body).toEqual({ role });
  });

  it('creates a role of a domain, without a description', async () => {
    const response = await create({ name: 'house', domain_id: 'acme' });
    expect(response.body).toMatchObject({ role: { domain_id: 'acme', description: null } });
  });

  it('stores further properties', async () => {
    const response = await create({ name: 'red', id: 'chosen', links: {}, colour: 'red', n: [1] });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ role: { name: 'red', colour: 'red', n: [1] } });
    const { id } = roleIn(response);
    expect(id).not.toBe('chosen');
    expect((await get(`/v3/roles/${id}`)).body).toEqual(response.body);
    expect((await get('/v3/roles?name=red')).body).toMatchObject({ roles: [roleIn(response)] });
  });

  it('requires names that are unique in a domain, or among global roles', async () => {
    await made('twice');
    await made('twice', { domain_id: 'acme' });
    await made('twice', { domain_id: 'globex' });
    const global = await create({ name: 'twice' });
    expect(global.status).toBe(409);
    expect(message(global)).toBe("A role with the name 'twice' exists already.");
    const owned = await create({ name: 'twice', domain_id: 'acme' });
    expect(owned.status).toBe(409);
    expect(message(owned)).toBe("A role with the name 'twice' exists already in the domain acme.");
  });

  it('refuses an unknown domain', async () => {
    const response = await create({ name: 'lost', domain_id: 'nowhere' });
    expect(response.status).toBe(404);
    expect(message(response)).toBe('Could not find domain: nowhere.');
  });

  it.each([
    [{}, 'role.name'],
    [{ name: '' }, 'role.name'],
    [{ name: '  ' }, 'role.name'],
    [{ name: 'x'.repeat(256) }, 'role.name'],
    [{ name: 'a', options: { immutable: 'yes' } }, 'role.options.immutable'],
    [{ name: 'a', colour: '\0' }, 'role.extra must have at most'],
    [
      { name: 'a', ...Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`own-${at}`, 1])) },
      'role.extra must have at most 64 further properties',
    ],
  ])('refuses %j, naming what is wrong', async (role, field) => {
    const response = await create(role);
    expect(response.status).toBe(400);
    expect(message(response)).toContain(field);
  });
});

describe('GET /v3/roles', () => {
  it('lists the roles of all domains, or those of one', async () => {
    await made('acme-only', { domain_id: 'acme' });
    expect(await names('')).toEqual(
      expect.arrayContaining(['admin', 'member', 'reader', 'service']),
    );
    expect(await names('')).not.toContain('acme-only');
    expect(await names('?domain_id=acme')).toContain('acme-only');
    expect(await names('?domain_id=acme')).not.toContain('member');
    expect(await names('?domain_id=nowhere')).toEqual([]);
  });

  it('finds a role by its name', async () => {
    expect(await names('?name=member')).toEqual(['member']);
    expect(await names('?name=acme-only')).toEqual([]);
    expect(await names('?name=acme-only&domain_id=acme')).toEqual(['acme-only']);
  });

  it('hides the roles of another domain', async () => {
    await made('globex-only', { domain_id: 'globex' });
    await grant(world, 'domains/acme/users/boss/roles/admin');
    const boss = await tokenFor(world, 'boss', onDomain('acme'));
    expect(await names('', boss)).toContain('member');
    expect(await names('?domain_id=acme', boss)).toContain('acme-only');
    expect(await names('?domain_id=globex', boss)).toEqual([]);
    expect((await get(`/v3/roles/${world.roles['globex-only'] ?? ''}`, boss)).status).toBe(403);
    expect((await get(`/v3/roles/${world.roles['acme-only'] ?? ''}`, boss)).status).toBe(200);
  });

  it('is refused to a member of a project', async () => {
    await grant(world, 'projects/side/users/bob/roles/member');
    const bob = await tokenFor(world, 'bob', onProject('side'));
    expect((await get('/v3/roles', bob)).status).toBe(403);
  });
});

describe('GET /v3/roles/{role_id}', () => {
  it('answers 404 for an unknown role', async () => {
    const response = await get('/v3/roles/nothing');
    expect(response.status).toBe(404);
    expect(message(response)).toBe('Could not find role: nothing.');
  });
});

describe('PATCH /v3/roles/{role_id}', () => {
  it('changes what it names, and nothing else', async () => {
    const id = await made('before', { description: 'as it was' });
    const response = await update(id, { name: 'after' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ role: { id, name: 'after', description: 'as it was' } });
    const cleared = await update(id, { description: null });
    expect(cleared.body).toMatchObject({ role: { name: 'after', description: null } });
    expect((await get(`/v3/roles/${id}`)).body).toEqual(cleared.body);
  });

  it('changes further properties', async () => {
    const id = await made('painted', { colour: 'red', size: 1 });
    const response = await update(id, { colour: 'blue', shape: null });
    expect(response.body).toMatchObject({ role: { colour: 'blue', size: 1, shape: null } });
    expect((await get(`/v3/roles/${id}`)).body).toEqual(response.body);
  });

  it('accepts what a client has read, and not another ID', async () => {
    const role = roleIn(await create({ name: 'read', colour: 'red' }));
    expect((await update(role.id, role)).body).toEqual({ role });
    expect((await update(role.id, { id: 'other' })).status).toBe(400);
  });

  it('refuses a name that another role has', async () => {
    const id = await made('unique');
    const response = await update(id, { name: 'member' });
    expect(response.status).toBe(409);
    expect(message(response)).toContain("'member'");
  });

  it('cannot change the domain of a role', async () => {
    const id = await made('settled', { domain_id: 'acme' });
    expect((await update(id, { domain_id: 'acme', name: 'still settled' })).status).toBe(200);
    for (const domain_id of ['globex', null]) {
      const response = await update(id, { domain_id });
      expect(response.status).toBe(400);
      expect(message(response)).toContain('role.domain_id');
    }
  });

  it('answers 404 for an unknown role', async () => {
    expect((await update('nothing', { name: 'something' })).status).toBe(404);
  });

  it('revokes the tokens with the former name', async () => {
    const id = await made('renamed');
    await grant(world, 'projects/top/users/alice/roles/renamed');
    const token = await tokenFor(world, 'alice', onProject('top'));
    await update(id, { description: 'no matter' });
    expect(await statusOf(world, token)).toBe(200);
    await update(id, { name: 'renamed since' });
    expect(await statusOf(world, token)).toBe(401);
  });
});

describe('DELETE /v3/roles/{role_id}', () => {
  it('deletes an unassigned role', async () => {
    const id = await made('unused');
    expect((await remove(id)).status).toBe(204);
    expect((await get(`/v3/roles/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  it('refuses while it is assigned, with the count', async () => {
    const id = await made('used');
    await grant(world, 'projects/top/users/alice/roles/used');
    const one = await remove(id);
    expect(one.status).toBe(409);
    expect(message(one)).toBe(
      `Cannot delete the role ${id}: it has 1 role assignment. Remove them first.`,
    );
    await grant(world, 'domains/acme/groups/devs/roles/used');
    expect(message(await remove(id))).toContain('it has 2 role assignments');
    expect((await get(`/v3/roles/${id}`)).status).toBe(200);
  });

  it('revokes it from users who have it by a role that implies it', async () => {
    const id = await made('below');
    await made('above');
    await imply(world, 'above', 'below');
    await grant(world, 'projects/side/groups/devs/roles/above');
    const token = await tokenFor(world, 'bob', onProject('side'));
    expect((await remove(id)).status).toBe(204);
    expect(await statusOf(world, token)).toBe(401);
  });
});

describe('an immutable role', () => {
  it('is neither changed nor removed before the option is taken back', async () => {
    const id = await made('rock', { options: { immutable: true } });
    for (const response of [
      await update(id, { name: 'sand' }),
      await update(id, { name: 'sand', options: { immutable: false } }),
      await update(id, { colour: 'grey', options: { immutable: false } }),
      await remove(id),
    ]) {
      expect(response.status).toBe(403);
      expect(message(response)).toContain(`the role ${id}: it is immutable`);
    }
    const released = await update(id, { options: { immutable: false } });
    expect(released.body).toMatchObject({ role: { options: { immutable: false } } });
    expect((await update(id, { name: 'sand' })).status).toBe(200);
    expect((await remove(id)).status).toBe(204);
  });

  it('is released by null too, which removes the option', async () => {
    const id = await made('ice', { options: { immutable: true } });
    expect((await update(id, { options: { immutable: null } })).body).toMatchObject({
      role: { options: {} },
    });
  });

  it('is every role of the bootstrap', async () => {
    for (const name of ['admin', 'member', 'reader', 'service']) {
      const id = world.roles[name] ?? '';
      expect((await get(`/v3/roles/${id}`)).body).toMatchObject({
        role: { options: { immutable: true } },
      });
      expect((await remove(id)).status).toBe(403);
    }
  });
});
