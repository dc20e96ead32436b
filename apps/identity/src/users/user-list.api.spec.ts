import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ADMIN_PASSWORD,
  login,
  signedIn,
  startIdentity,
  tokenOf,
  type TestIdentity,
  type OnWire,
} from '../identity.fixture.js';
import { makeUser } from './user.fixture.js';

let identity: TestIdentity;
let admin: string;
let users: Record<string, OnWire>;

beforeAll(async () => {
  identity = await startIdentity();
  const { dataSource } = identity.app;
  admin = await tokenOf(identity.client);
  await dataSource.query(`INSERT INTO domains (id, name) VALUES ('garden', 'garden')`);
  users = {};
  for (const name of ['apple', 'birch', 'cedar']) {
    const enabled = name !== 'birch';
    users[name] = await makeUser(identity, admin, { name, enabled, domain_id: 'garden' });
  }
  await dataSource.query(
    `UPDATE users SET password_expires_at = '2030-01-01T00:00:00Z' WHERE name = 'apple'`,
  );
  await dataSource.query(
    `UPDATE users SET password_expires_at = '2031-01-01T00:00:00Z' WHERE name = 'birch'`,
  );
});
afterAll(() => identity.stop());

interface List {
  readonly users: readonly OnWire[];
  readonly links: { readonly next: string | null; readonly self: string };
  readonly truncated?: boolean;
}

async function list(query: string, token = admin): Promise<List> {
  const response = await identity.client.get(`/v3/users?${query}`, { token });
  expect([query, response.status]).toEqual([query, 200]);
  return response.body as List;
}

async function names(query: string, token = admin): Promise<string[]> {
  return (await list(`domain_id=garden&${query}`, token)).users.map(({ name }) => name);
}

describe('the list of users', () => {
  it('is filtered by name, domain and state', async () => {
    expect(await names('')).toEqual(['apple', 'birch', 'cedar']);
    expect(await names('name=birch')).toEqual(['birch']);
    expect(await names('enabled=false')).toEqual(['birch']);
    expect(await names('enabled=1')).toEqual(['apple', 'cedar']);
  });

  it('is for administrators and readers of everything', async () => {
    const token = await tokenOf(identity.client, 'demo');
    expect((await identity.client.get('/v3/users', { token })).status).toBe(403);
  });

  it.each([
    ['lt:2031-01-01T00:00:00Z', ['apple']],
    ['lte:2031-01-01T00:00:00Z', ['apple', 'birch']],
    ['gt:2030-01-01T00:00:00Z', ['birch']],
    ['gte:2030-01-01T00:00:00Z', ['apple', 'birch']],
    ['eq:2030-01-01T00:00:00Z', ['apple']],
    ['2030-01-01T00:00:00Z', ['apple']],
    ['neq:2030-01-01T00:00:00Z', ['birch']],
  ])('is filtered by the expiry of passwords: %s', async (filter, expected) => {
    expect(await names(`password_expires_at=${filter}`)).toEqual(expected);
  });

  it('holds those that match every filter by expiry', async () => {
    const both =
      'password_expires_at=gte:2030-01-01T00:00:00Z&password_expires_at=lt:2031-01-01T00:00:00Z';
    expect(await names(both)).toEqual(['apple']);
  });

  it.each([
    'password_expires_at=about:2030-01-01T00:00:00Z',
    'password_expires_at=lt:then',
    'password_expires_at=lt:',
    'limit=0',
    'limit=some',
    'enabled=perhaps',
  ])('is a 400 for %s', async (query) => {
    const response = await identity.client.get(`/v3/users?${query}`, { token: admin });
    expect(response.status).toBe(400);
  });

  it('comes in pages that lead to each other', async () => {
    const first = await list('domain_id=garden&limit=2');
    expect(first.users.map(({ name }) => name)).toEqual(['apple', 'birch']);
    expect(first.truncated).toBe(true);
    const next = new URL(first.links.next ?? '');
    expect(Object.fromEntries(next.searchParams)).toEqual({
      domain_id: 'garden',
      limit: '2',
      marker: users['birch']?.id,
    });
    const second = await list(next.search.slice(1));
    expect(second.users.map(({ name }) => name)).toEqual(['cedar']);
    expect(second.links.next).toBeNull();
    expect(second).not.toHaveProperty('truncated');
  });

  it('has no next page where the last one is just full', async () => {
    expect((await list('domain_id=garden&limit=3')).links.next).toBeNull();
  });

  it('goes on after a marker without a limit', async () => {
    expect(await names(`marker=${users['apple']?.id ?? ''}`)).toEqual(['birch', 'cedar']);
  });

  it('answers 404 for an unknown marker', async () => {
    const response = await identity.client.get('/v3/users?marker=gone', { token: admin });
    expect(response.status).toBe(404);
    expect(response.text).toContain('gone');
  });
});

describe('the list of users of a domain’s administrator', () => {
  let ofDomain: string;

  beforeAll(async () => {
    const scope = { domain: { id: 'default' } };
    ofDomain = signedIn(await login(identity.client, { password: ADMIN_PASSWORD, scope }));
  });

  it('holds those of its domain alone', async () => {
    const found = (await list('', ofDomain)).users;
    expect(found.map(({ name }) => name)).toContain('demo');
    expect(new Set(found.map((user) => user['domain_id']))).toEqual(new Set(['default']));
    expect(await names('', ofDomain)).toEqual([]);
  });

  it('does not tell of markers in another domain', async () => {
    const query = `marker=${users['apple']?.id ?? ''}`;
    const response = await identity.client.get(`/v3/users?${query}`, { token: ofDomain });
    expect(response.status).toBe(404);
  });

  it('leads to no change of a user of another domain', async () => {
    const id = users['apple']?.id ?? '';
    const body = { user: { name: 'pear' } };
    const changed = await identity.client.patch(`/v3/users/${id}`, { token: ofDomain, body });
    const made = await identity.client.post('/v3/users', {
      token: ofDomain,
      body: { user: { name: 'pear', domain_id: 'garden' } },
    });
    expect([changed.status, made.status]).toEqual([403, 403]);
  });

  it('has the users that it makes without naming a domain', async () => {
    expect(await makeUser(identity, ofDomain)).toMatchObject({ domain_id: 'default' });
  });
});
