import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEMO_PASSWORD,
  login,
  projectScope,
  signedIn,
  startIdentity,
  tokenIn,
  tokenOf,
  type TestIdentity,
} from '../identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const auth = (token: string): object => ({ methods: ['token'], token: { id: token } });

describe('POST /v3/auth/tokens with a password', () => {
  it('answers 201 with the token in its header and everything about it in the body', async () => {
    const response = await login(identity.client, { scope: projectScope('admin') });
    expect(response.status).toBe(201);
    expect(signedIn(response)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(tokenIn(response)).toEqual({
      methods: ['password'],
      user: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'admin',
        domain: { id: 'default', name: 'Default' },
        password_expires_at: null,
      },
      audit_ids: [expect.stringMatching(/^[\w-]{22}$/)],
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/),
      project: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'admin',
        domain: { id: 'default', name: 'Default' },
      },
      is_domain: false,
      // The role that the user has, and what it implies.
      roles: ['admin', 'member', 'reader'].map((name) => ({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name,
      })),
      catalog: expect.arrayContaining([
        expect.objectContaining({ type: 'identity' }),
        expect.objectContaining({ type: 'compute' }),
      ]),
    });
  });

  it('lives as long as the setting says', async () => {
    const token = tokenIn(await login(identity.client));
    const seconds =
      (Date.parse(token['expires_at'] as string) - Date.parse(token['issued_at'] as string)) / 1000;
    expect(seconds).toBeLessThanOrEqual(identity.config.tokenLifetime);
    expect(seconds).toBeGreaterThan(identity.config.tokenLifetime - 2);
  });

  it('takes user and project by id, and a domain by name', async () => {
    const { user, project } = tokenIn(
      await login(identity.client, { scope: projectScope('admin') }),
    ) as { user: { id: string }; project: { id: string } };
    const response = await identity.client.post('/v3/auth/tokens', {
      body: {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { id: user.id, password: identity.config.adminPassword } },
          },
          scope: { project: { id: project.id } },
        },
      },
    });
    expect(tokenIn(response)).toMatchObject({ user, project });
    const byName = await login(identity.client, {
      scope: { project: { name: 'admin', domain: { name: 'Default' } } },
    });
    expect(tokenIn(byName)).toMatchObject({ project });
  });

  it('is unscoped without a scope: no roles, no catalog', async () => {
    const token = tokenIn(await login(identity.client));
    expect(Object.keys(token).sort()).toEqual(
      ['audit_ids', 'expires_at', 'issued_at', 'methods', 'user'].sort(),
    );
  });

  it('is of the domain or of the system where that is asked for', async () => {
    const domain = tokenIn(await login(identity.client, { scope: { domain: { id: 'default' } } }));
    expect(domain).toMatchObject({
      domain: { id: 'default', name: 'Default' },
      roles: [{ name: 'admin' }, { name: 'member' }, { name: 'reader' }],
    });
    expect(domain).not.toHaveProperty('project');
    const system = tokenIn(await login(identity.client, { scope: { system: { all: true } } }));
    expect(system).toMatchObject({
      system: { all: true },
      roles: [{ name: 'admin' }, { name: 'member' }, { name: 'reader' }],
    });
  });

  it('leaves the catalog out where nocatalog is given', async () => {
    const { config, client } = identity;
    const body = {
      auth: {
        identity: {
          methods: ['password'],
          password: {
            user: { name: 'admin', domain: { id: 'default' }, password: config.adminPassword },
          },
        },
        scope: projectScope('admin'),
      },
    };
    const token = tokenIn(await client.post('/v3/auth/tokens?nocatalog', { body }));
    expect(token).toHaveProperty('project');
    expect(token).not.toHaveProperty('catalog');
  });
});

describe('the default project of a user', () => {
  const setDefault = (name: string | null): Promise<unknown> =>
    identity.app.dataSource.query(
      `UPDATE users SET default_project_id = (SELECT id FROM projects WHERE name = $1)
        WHERE name = 'demo'`,
      [name],
    );
  const demo = { user: 'demo', password: DEMO_PASSWORD };

  afterAll(() => setDefault(null));

  it('is the scope of a token that is asked for without one', async () => {
    await setDefault('demo');
    expect(tokenIn(await login(identity.client, demo))).toMatchObject({
      project: { name: 'demo' },
    });
  });

  it('is left aside where the request says unscoped, as text or object', async () => {
    await setDefault('demo');
    for (const scope of ['unscoped', { unscoped: {} }]) {
      const token = tokenIn(await login(identity.client, { ...demo, scope }));
      expect(token).not.toHaveProperty('project');
    }
  });

  it('is left aside where the user has no role on it', async () => {
    await setDefault('admin');
    const response = await login(identity.client, demo);
    expect(response.status).toBe(201);
    expect(tokenIn(response)).not.toHaveProperty('project');
  });
});

describe('POST /v3/auth/tokens with a token', () => {
  async function exchange(
    token: string,
    scope?: unknown,
  ): Promise<Awaited<ReturnType<typeof login>>> {
    return identity.client.post('/v3/auth/tokens', {
      body: { auth: { identity: auth(token), ...(scope === undefined ? {} : { scope }) } },
    });
  }

  it('makes one of another scope that expires with it and joins its audit chain', async () => {
    const first = await login(identity.client);
    const second = await exchange(signedIn(first), projectScope('admin'));
    const third = await exchange(signedIn(second), 'unscoped');
    const [one, two, three] = [first, second, third].map(tokenIn);
    expect(second.status).toBe(201);
    expect(two).toMatchObject({ methods: ['token', 'password'], project: { name: 'admin' } });
    expect([two?.['expires_at'], three?.['expires_at']]).toEqual([
      one?.['expires_at'],
      one?.['expires_at'],
    ]);
    const [origin] = (one?.['audit_ids'] ?? []) as string[];
    expect(two?.['audit_ids']).toEqual([expect.any(String), origin]);
    expect(three?.['audit_ids']).toEqual([expect.any(String), origin]);
    expect(three?.['methods']).toEqual(['token', 'password']);
  });

  it('gives no scope that its user has no role on', async () => {
    const token = await tokenOf(identity.client, 'demo');
    expect((await exchange(token, projectScope('admin'))).status).toBe(401);
  });

  it('takes a password and a token together only of the same user', async () => {
    const demo = await tokenOf(identity.client, 'demo');
    const both = (token: string): object => ({
      auth: {
        identity: {
          methods: ['password', 'token'],
          token: { id: token },
          password: {
            user: {
              name: 'admin',
              domain: { id: 'default' },
              password: identity.config.adminPassword,
            },
          },
        },
      },
    });
    const same = both(await tokenOf(identity.client));
    expect((await identity.client.post('/v3/auth/tokens', { body: same })).status).toBe(201);
    const other = both(demo);
    expect((await identity.client.post('/v3/auth/tokens', { body: other })).status).toBe(401);
  });
});
