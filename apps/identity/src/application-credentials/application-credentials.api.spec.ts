import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { login, signedIn } from '../identity.fixture.js';
import {
  messageOf,
  startDelegation,
  unwrap,
  type Delegation,
} from '../trusts/delegation.fixture.js';

let world: Delegation;
let path: string;
let count = 0;

beforeAll(async () => {
  world = await startDelegation();
  path = `/v3/users/${world.id('user demo')}/application_credentials`;
});
afterAll(() => world.identity.stop());

const newName = (): string => `credential ${(count += 1)}`;

function post(credential: object, token = world.tokens.demo): Promise<TestResponse> {
  const body = { application_credential: { name: newName(), ...credential } };
  return world.identity.client.post(path, { token, body });
}

async function create(credential: object = {}, token?: string): Promise<Record<string, unknown>> {
  return unwrap(await post(credential, token), 'application_credential');
}

const get = (id: unknown, token = world.tokens.demo): Promise<TestResponse> =>
  world.identity.client.get(`${path}/${String(id)}`, { token });

const remove = (id: unknown, token = world.tokens.demo): Promise<TestResponse> =>
  world.identity.client.delete(`${path}/${String(id)}`, { token });

async function tokenBy({ id, secret }: Record<string, unknown>): Promise<string> {
  return signedIn(await world.byCredential(String(id), String(secret)));
}

describe('POST /v3/users/{user_id}/application_credentials', () => {
  it('answers 201 with a secret that is strong and fit for a URL', async () => {
    const response = await post({ name: 'plain' });
    expect(response.status).toBe(201);
    const credential = unwrap(response, 'application_credential');
    const roles = credential['roles'] as { name: string }[];
    expect(credential).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'plain',
      description: null,
      secret: expect.stringMatching(/^[\w-]{86}$/),
      user_id: world.id('user demo'),
      project_id: world.id('project demo'),
      system: null,
      expires_at: null,
      unrestricted: false,
      roles: roles.map(({ name }) => ({
        id: world.id(`role ${name}`),
        name,
        domain_id: null,
        description: expect.any(String),
        options: expect.any(Object),
      })),
      links: { self: `${world.identity.client.baseUrl}${path}/${String(credential['id'])}` },
    });
    expect(roles.map(({ name }) => name)).toContain('member');
  });

  it('takes the secret of the client, and a description', async () => {
    const credential = await create({ secret: 'rEaqvJka48mpv', description: 'For backups.' });
    expect(credential).toMatchObject({ secret: 'rEaqvJka48mpv', description: 'For backups.' });
    await expect(tokenBy(credential)).resolves.toMatch(/./);
  });

  it('stores the secret as an argon2id hash only', async () => {
    const { id, secret } = await create();
    const rows: object[] = await world.identity.app.dataSource.query(
      'SELECT * FROM application_credentials WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([
      expect.objectContaining({ secret_hash: expect.stringMatching(/^\$argon2id\$/) }),
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('gives those roles of the token that are named, with what they imply', async () => {
    const reader = await create({ roles: [{ name: 'reader' }] });
    expect(reader['roles']).toMatchObject([{ name: 'reader' }]);
    const member = await create({ roles: [{ id: world.id('role member') }] });
    expect(member['roles']).toMatchObject([{ name: 'member' }, { name: 'reader' }]);
  });

  it('refuses roles that the token does not have', async () => {
    const response = await post({ roles: [{ name: 'admin' }] });
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain(`'admin'`);
    expect((await post({ roles: [{ id: 'ffff' }] })).status).toBe(400);
    expect((await post({ roles: [{}] })).status).toBe(400);
  });

  it('gives no role that the user has and the token does not', async () => {
    const parent = await create({ roles: [{ name: 'reader' }], unrestricted: true });
    const token = await tokenBy(parent);
    expect((await create({}, token))['roles']).toMatchObject([{ name: 'reader' }]);
    expect((await post({ roles: [{ name: 'member' }] }, token)).status).toBe(400);
  });

  it('keeps the microseconds of its expiry, and shows it without a zone', async () => {
    const expiring = await create({ expires_at: '2999-11-21T13:00:00.123456' });
    expect(expiring['expires_at']).toBe('2999-11-21T13:00:00.123456');
    const zoned = await create({ expires_at: '2999-11-21T13:00:00Z' });
    expect(zoned['expires_at']).toBe('2999-11-21T13:00:00.000000');
  });

  it('refuses an expiry that has passed or is not valid', async () => {
    const past = await post({ expires_at: '2018-02-27T18:30:59Z' });
    expect([past.status, messageOf(past)]).toEqual([400, expect.stringContaining('2018-02-27')]);
    expect((await post({ expires_at: 'next tuesday' })).status).toBe(400);
  });

  it('answers 409 to a name that the user has given already', async () => {
    await create({ name: 'twin' });
    const response = await post({ name: 'twin' });
    expect([response.status, messageOf(response)]).toEqual([
      409,
      expect.stringContaining(`'twin'`),
    ]);
  });

  it.each([
    [{ name: ' ' }],
    [{ name: 7 }],
    [{ unrestricted: 'yes' }],
    [{ secret: 'x'.repeat(5000) }],
    [{ colour: 'red' }],
    [{ roles: 'member' }],
  ])('answers 400 to %j', async (credential) => {
    expect((await post(credential)).status).toBe(400);
  });

  it('answers 400 without a body', async () => {
    const { client } = world.identity;
    expect((await client.post(path, { token: world.tokens.demo, body: {} })).status).toBe(400);
  });

  it('can be created for oneself only', async () => {
    expect((await post({}, world.tokens.admin)).status).toBe(403);
    expect((await post({}, world.tokens.compute)).status).toBe(403);
  });

  it('requires a token of a project', async () => {
    const unscoped = signedIn(
      await login(world.identity.client, {
        user: 'demo',
        password: 'the password of demo',
        scope: 'unscoped',
      }),
    );
    expect((await post({}, unscoped)).status).toBe(403);
  });
});

describe('the access rules of an application credential', () => {
  const ips = { service: 'compute', method: 'GET', path: '/v2.1/servers/*/ips' };
  const images = { service: 'image', method: 'GET', path: '/v2/images' };

  it('are shown with their ids, and used again', async () => {
    const first = await create({ access_rules: [ips, ips] });
    expect(first['access_rules']).toEqual([{ ...ips, id: expect.any(String) }]);
    const second = await create({ access_rules: [images, ips] });
    expect(second['access_rules']).toEqual([
      ...(first['access_rules'] as object[]),
      { ...images, id: expect.any(String) },
    ]);
  });

  it('can be named by the id of one that the user has', async () => {
    const first = await create({ access_rules: [ips] });
    const [{ id } = { id: '' }] = first['access_rules'] as { id: string }[];
    expect((await create({ access_rules: [{ id }] }))['access_rules']).toEqual([{ ...ips, id }]);
    const unknown = await post({ access_rules: [{ id: 'f00' }] });
    expect([unknown.status, messageOf(unknown)]).toEqual([404, expect.stringContaining('f00')]);
  });

  it('cannot be rules of another user', async () => {
    const first = await create({ access_rules: [ips] });
    const { client } = world.identity;
    const response = await client.post(
      `/v3/users/${world.id('user admin')}/application_credentials`,
      {
        token: world.tokens.admin,
        body: { application_credential: { name: 'x', access_rules: first['access_rules'] } },
      },
    );
    expect(response.status).toBe(404);
  });

  it('set no limit if the list is empty, as the openstack client sends it', async () => {
    const credential = await create({ access_rules: [], roles: [] });
    expect(credential).not.toHaveProperty('access_rules');
    await expect(tokenBy(credential)).resolves.toMatch(/./);
  });

  it.each([
    [[{ service: 'compute', method: 'GET' }]],
    [[{ ...ips, method: 'get' }]],
    [[{ ...ips, path: 'v2.1' }]],
    [[{ ...ips, path: `/${'x'.repeat(128)}` }]],
    [[{ ...ips, service: 'com pute' }]],
    [Array.from({ length: 33 }, (_, at) => ({ ...ips, path: `/${at}` }))],
  ])('must be whole, and few enough for a token: %j', async (rules) => {
    expect((await post({ access_rules: rules })).status).toBe(400);
  });

  it('can be as many as a token holds', async () => {
    const rules = Array.from({ length: 32 }, (_, at) => ({ ...ips, path: `/${at}` }));
    const credential = await create({ access_rules: rules });
    expect(credential['access_rules']).toHaveLength(32);
    await expect(tokenBy(credential)).resolves.toMatch(/./);
  });
});

describe('GET /v3/users/{user_id}/application_credentials', () => {
  it('shows one without its secret', async () => {
    const { secret, ...credential } = await create({ expires_at: '2999-01-01T00:00:00.000001' });
    const response = await get(credential['id']);
    expect([response.status, response.body]).toEqual([200, { application_credential: credential }]);
    expect(response.text).not.toContain(secret);
  });

  it('lists those of the user, by name where one is asked for', async () => {
    const { client } = world.identity;
    await create({ name: 'wanted' });
    const all = await client.get(path, { token: world.tokens.demo });
    const one = await client.get(`${path}?name=wanted`, { token: world.tokens.demo });
    expect(all.body).toMatchObject({ links: { self: `${client.baseUrl}${path}`, next: null } });
    expect(unwrap(all, 'application_credentials').length).toBeGreaterThan(1);
    expect(one.body).toMatchObject({ application_credentials: [{ name: 'wanted' }] });
    expect(all.text).not.toContain('secret');
  });

  it('is allowed for cloud administrators, and for nobody else', async () => {
    const { id } = await create();
    expect((await get(id, world.tokens.admin)).status).toBe(200);
    expect((await get(id, world.tokens.compute)).status).toBe(403);
  });

  it('answers 404 for one that is not of the user in the path', async () => {
    const { id } = await create();
    const others = `/v3/users/${world.id('user admin')}/application_credentials/${String(id)}`;
    const response = await world.identity.client.get(others, { token: world.tokens.admin });
    expect(response.status).toBe(404);
    const unknown = await get('nothing');
    expect([unknown.status, messageOf(unknown)]).toEqual([
      404,
      'Could not find application credential: nothing.',
    ]);
  });

  it('cannot be changed', async () => {
    const { id } = await create();
    const response = await world.identity.client.patch(`${path}/${String(id)}`, {
      token: world.tokens.demo,
      body: { application_credential: { name: 'other' } },
    });
    expect(response.status).toBe(405);
  });
});

describe('DELETE /v3/users/{user_id}/application_credentials/{application_credential_id}', () => {
  it('revokes the tokens of the credential at once, and no others', async () => {
    const credential = await create();
    const token = await tokenBy(credential);
    expect((await get(credential['id'], token)).status).toBe(200);
    expect((await remove(credential['id'])).status).toBe(204);
    expect((await get(credential['id'], token)).status).toBe(401);
    expect((await get(credential['id'])).status).toBe(404);
    expect(
      (await world.byCredential(String(credential['id']), String(credential['secret']))).status,
    ).toBe(401);
  });

  it('answers 404 where there is none', async () => {
    expect((await remove('nothing')).status).toBe(404);
  });

  it('leaves one of another user alone', async () => {
    const { id } = await create();
    const others = `/v3/users/${world.id('user admin')}/application_credentials/${String(id)}`;
    const { client } = world.identity;
    expect((await client.delete(others, { token: world.tokens.admin })).status).toBe(404);
    expect((await remove(id, world.tokens.compute)).status).toBe(403);
    expect((await get(id)).status).toBe(200);
  });

  it('is allowed for cloud administrators', async () => {
    const { id } = await create();
    expect((await remove(id, world.tokens.admin)).status).toBe(204);
  });
});

describe('a token of an application credential', () => {
  it('cannot create or delete application credentials while restricted', async () => {
    const token = await tokenBy(await create());
    const { id } = await create();
    expect((await post({}, token)).status).toBe(403);
    expect((await remove(id, token)).status).toBe(403);
    expect((await get(id, token)).status).toBe(200);
  });

  it('is restricted with the roles of an administrator too', async () => {
    const { client } = world.identity;
    const own = `/v3/users/${world.id('user admin')}/application_credentials`;
    const body = { application_credential: { name: 'of admin' } };
    const made = await client.post(own, { token: world.tokens.admin, body });
    const credential = unwrap(made, 'application_credential');
    const token = await tokenBy(credential);
    const removed = await client.delete(`${own}/${String(credential['id'])}`, { token });
    expect(removed.status).toBe(403);
  });

  it('does both while unrestricted', async () => {
    const token = await tokenBy(await create({ unrestricted: true }));
    const { id } = await create({}, token);
    expect((await remove(id, token)).status).toBe(204);
  });
});

it('hides application credentials from tokens of a trust', async () => {
  const { id } = await create();
  const made = await world.identity.client.post('/v3/OS-TRUST/trusts', {
    token: world.tokens.demo,
    body: {
      trust: {
        trustor_user_id: world.id('user demo'),
        trustee_user_id: world.id('user compute'),
        project_id: world.id('project demo'),
        impersonation: true,
        roles: [{ name: 'member' }],
      },
    },
  });
  const token = signedIn(await world.byTrust('compute', String(unwrap(made, 'trust')['id'])));
  expect((await world.identity.client.get(path, { token })).status).toBe(403);
  expect((await get(id, token)).status).toBe(403);
  expect((await post({}, token)).status).toBe(403);
  expect((await remove(id, token)).status).toBe(403);
});
