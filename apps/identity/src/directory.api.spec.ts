/** Reads of users, projects, domains and roles, and what a token could be exchanged for. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ADMIN_PASSWORD,
  login,
  signedIn,
  startIdentity,
  tokenOf,
  type TestIdentity,
} from './identity.fixture.js';

let identity: TestIdentity;
let admin: string;
let demo: string;
let ids: Record<string, string>;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client, 'admin');
  demo = await tokenOf(identity.client, 'demo');
  const rows: { key: string; id: string }[] = await identity.app.dataSource.query(
    `SELECT 'user ' || name AS key, id FROM users
     UNION SELECT 'project ' || name, id FROM projects UNION SELECT 'role ' || name, id FROM roles`,
  );
  ids = Object.fromEntries(rows.map(({ key, id }) => [key, id]));
});
afterAll(() => identity.stop());

async function get(path: string, token = admin): Promise<Record<string, unknown>> {
  const response = await identity.client.get(path, { token });
  expect([path, response.status]).toEqual([path, 200]);
  return response.body as Record<string, unknown>;
}

async function names(path: string, key: string, token = admin): Promise<string[]> {
  const list = (await get(path, token))[key] as { name: string }[];
  return list.map(({ name }) => name);
}

const status = async (path: string, token: string): Promise<number> =>
  (await identity.client.get(path, { token })).status;

const idOf = (key: string): string => ids[key] ?? '';

describe('users', () => {
  it('are shown to administrators and to themselves', async () => {
    const id = idOf('user demo');
    const user = {
      id,
      name: 'demo',
      domain_id: 'default',
      description: 'A first user.',
      enabled: true,
      password_expires_at: null,
      options: {},
      links: { self: `${identity.client.baseUrl}/v3/users/${id}` },
    };
    expect(await get(`/v3/users/${id}`)).toEqual({ user });
    expect(await get(`/v3/users/${id}`, demo)).toEqual({ user });
    expect(await status(`/v3/users/${idOf('user admin')}`, demo)).toBe(403);
  });

  it('are listed by name, domain and state', async () => {
    expect(await names('/v3/users?name=demo', 'users')).toEqual(['demo']);
    expect(await names('/v3/users?domain_id=other', 'users')).toEqual([]);
    expect(await names('/v3/users?enabled=False', 'users')).toEqual([]);
    expect(await names('/v3/users', 'users')).toContain('compute');
    expect(await status('/v3/users', demo)).toBe(403);
    expect(await status('/v3/users?enabled=perhaps', admin)).toBe(400);
  });

  it('have the projects that they have a role on', async () => {
    const path = `/v3/users/${idOf('user demo')}/projects`;
    expect(await names(path, 'projects')).toEqual(['demo']);
    expect(await names(path, 'projects', demo)).toEqual(['demo']);
    expect(await status(`/v3/users/${idOf('user admin')}/projects`, demo)).toBe(403);
    expect(await status('/v3/users/nobody/projects', admin)).toBe(404);
  });
});

describe('projects', () => {
  it('are shown to administrators, and to readers of their own', async () => {
    const id = idOf('project demo');
    const project = {
      id,
      name: 'demo',
      domain_id: 'default',
      parent_id: 'default',
      description: 'A first project to work in.',
      enabled: true,
      is_domain: false,
      tags: [],
      options: {},
      links: { self: `${identity.client.baseUrl}/v3/projects/${id}` },
    };
    expect(await get(`/v3/projects/${id}`)).toEqual({ project });
    expect(await get(`/v3/projects/${id}`, demo)).toEqual({ project });
    expect(await status(`/v3/projects/${idOf('project admin')}`, demo)).toBe(403);
  });

  it('are listed by name, domain, parent and state', async () => {
    expect(await names('/v3/projects', 'projects')).toEqual(['admin', 'demo', 'service']);
    expect(await names('/v3/projects?name=demo&enabled=true', 'projects')).toEqual(['demo']);
    expect(await names('/v3/projects?parent_id=default', 'projects')).toHaveLength(3);
    expect(await names('/v3/projects?domain_id=other', 'projects')).toEqual([]);
    expect(await status('/v3/projects', demo)).toBe(403);
  });
});

describe('domains and roles', () => {
  it('are shown and listed', async () => {
    expect(await names('/v3/domains', 'domains')).toEqual(['Default']);
    expect(await get('/v3/domains/default')).toMatchObject({ domain: { name: 'Default' } });
    expect(await status('/v3/domains/default', demo)).toBe(200);
    expect(await status('/v3/domains', demo)).toBe(403);
    expect(await names('/v3/roles', 'roles')).toEqual(['admin', 'member', 'reader', 'service']);
    expect(await names('/v3/roles?name=member', 'roles')).toEqual(['member']);
    const id = idOf('role member');
    expect(await get(`/v3/roles/${id}`)).toMatchObject({ role: { id, domain_id: null } });
    expect(await status('/v3/roles', demo)).toBe(403);
  });
});

it.each(['user', 'project', 'domain', 'role'])('answers 404 for an unknown %s', async (kind) => {
  const id = '0'.repeat(32);
  const response = await identity.client.get(`/v3/${kind}s/${id}`, { token: admin });
  expect(response.status).toBe(404);
  expect(response.body).toEqual({
    error: { code: 404, message: `Could not find ${kind}: ${id}.`, title: 'Not Found' },
  });
});

it('answers 400 for an id that no row can have', async () => {
  expect(await status('/v3/users/%00', admin)).toBe(400);
});

describe('what a token can be exchanged for', () => {
  it('are the projects and domains with a role, and the system', async () => {
    expect(await names('/v3/auth/projects', 'projects', demo)).toEqual(['demo']);
    expect(await names('/v3/auth/domains', 'domains')).toEqual(['Default']);
    expect(await names('/v3/auth/domains', 'domains', demo)).toEqual([]);
    expect(await get('/v3/auth/system')).toMatchObject({ system: [{ all: true }] });
    expect(await get('/v3/auth/system', demo)).toMatchObject({ system: [] });
  });

  it('leaves out what is disabled', async () => {
    const set = (enabled: boolean): Promise<unknown> =>
      identity.app.dataSource.query(`UPDATE projects SET enabled = $1 WHERE name = 'demo'`, [
        enabled,
      ]);
    await set(false);
    expect(await names('/v3/auth/projects', 'projects', demo)).toEqual([]);
    await set(true);
  });

  it('is known to an unscoped token too', async () => {
    const unscoped = signedIn(
      await login(identity.client, { password: ADMIN_PASSWORD, scope: 'unscoped' }),
    );
    expect(await names('/v3/auth/projects', 'projects', unscoped)).toEqual(['admin']);
  });
});

describe('GET /v3/auth/catalog', () => {
  it('is the catalog of the token', async () => {
    const { catalog } = await get('/v3/auth/catalog', demo);
    expect((catalog as { type: string }[]).map(({ type }) => type)).toEqual([
      'identity',
      'compute',
      'orchestration',
    ]);
    expect(JSON.stringify(catalog)).toContain(`/v1/${idOf('project demo')}`);
  });

  it('is refused to an unscoped token', async () => {
    const unscoped = signedIn(await login(identity.client, { scope: 'unscoped' }));
    expect(await status('/v3/auth/catalog', unscoped)).toBe(403);
  });
});
