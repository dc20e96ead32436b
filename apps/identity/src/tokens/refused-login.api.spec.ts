import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  DEMO_PASSWORD,
  login,
  projectScope,
  startIdentity,
  type Login,
  type TestIdentity,
} from '../identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const demo = { user: 'demo', password: DEMO_PASSWORD };
const UNAUTHORIZED = {
  error: {
    code: 401,
    message: 'The request you have made requires authentication.',
    title: 'Unauthorized',
  },
};

function expectRefused(response: TestResponse): void {
  expect(response.status).toBe(401);
  expect(response.body).toEqual(UNAUTHORIZED);
  expect(response.headers.get('WWW-Authenticate')).toBe(
    `Keystone uri="${identity.client.baseUrl}/v3"`,
  );
  expect(response.headers.get('X-Subject-Token')).toBeNull();
}

describe('a login that is refused', () => {
  beforeEach(() => {
    identity.passwords.verifications = 0;
  });

  it.each<[string, Login]>([
    ['a wrong password', { password: 'wrong' }],
    ['an empty password', { password: '' }],
    ['an unknown user', { user: 'nobody' }],
    ['a project that is not there', { scope: projectScope('nowhere') }],
    ['a project without a role', { ...demo, scope: projectScope('admin') }],
    ['a domain without a role', { ...demo, scope: { domain: { id: 'default' } } }],
    ['a domain that is not there', { scope: { domain: { name: 'nowhere' } } }],
    ['the system without a role', { ...demo, scope: { system: { all: true } } }],
  ])('says nothing of the reason and costs one verification: %s', async (_, request) => {
    expectRefused(await login(identity.client, request));
    expect(identity.passwords.verifications).toBe(1);
  });

  it('does the same for a user in an unknown domain', async () => {
    const user = { name: 'admin', domain: { name: 'nowhere' }, password: 'x' };
    expectRefused(
      await identity.client.post('/v3/auth/tokens', {
        body: { auth: { identity: { methods: ['password'], password: { user } } } },
      }),
    );
    expect(identity.passwords.verifications).toBe(1);
  });

  it('counts what is there but disabled as not there', async () => {
    const { dataSource } = identity.app;
    const scope = projectScope('demo');
    const disable: [string, string][] = [
      [`UPDATE users SET enabled = $1 WHERE name = 'demo'`, 'the user'],
      [`UPDATE projects SET enabled = $1 WHERE name = 'demo'`, 'the project'],
      [`UPDATE domains SET enabled = $1 WHERE id = 'default'`, 'the domain'],
    ];
    for (const [statement] of disable) {
      await dataSource.query(statement, [false]);
      expectRefused(await login(identity.client, { ...demo, scope }));
      await dataSource.query(statement, [true]);
    }
    expect((await login(identity.client, { ...demo, scope })).status).toBe(201);
    expect(identity.passwords.verifications).toBe(disable.length + 1);
  });

  const user = { name: 'demo', domain: { id: 'default' }, password: DEMO_PASSWORD };

  it.each<[string, object]>([
    ['x509', { methods: ['x509'] }],
    ['x509', { methods: ['x509'], x509: { user: { id: 'u', passcode: '012345' } } }],
    ['x509', { methods: ['password', 'x509'], password: { user }, x509: { user: { id: 'u' } } }],
    ['mapped', { methods: ['mapped'], mapped: { identity_provider: 'i', protocol: 'p' } }],
    ['oauth1', { methods: ['oauth1'], oauth1: {} }],
    ['saml2', { methods: ['saml2'], saml2: {} }],
    ['external', { methods: ['external'], external: {} }],
    ['methods', { methods: ['methods'] }],
    ["a site's own", { methods: ["a site's own"], "a site's own": {} }],
  ])('names the method that is not offered: %s, in %j', async (method, asked) => {
    const response = await identity.client.post('/v3/auth/tokens', {
      body: { auth: { identity: asked } },
    });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({
      error: { message: `Attempted to authenticate with an unsupported method: ${method}.` },
    });
  });

  it('does not mind what Keystone’s schema leaves open', async () => {
    const asked = { methods: ['password'], password: { user, otp: '1' }, x509: {}, colour: 'blue' };
    for (const more of [{}, { tenantId: 'a' }, { tenantName: 'b', constructor: {} }]) {
      const body = { auth: { identity: asked, ...more }, more: 1 };
      expect((await identity.client.post('/v3/auth/tokens', { body })).status).toBe(201);
    }
  });

  it.each<object>([
    { methods: ['x509'], password: {} },
    { methods: 'x509', x509: {} },
    { methods: [{ toString: 1 }], x509: {} },
    { methods: ['totp'] },
    { methods: ['totp'], totp: { user: { id: 'u' } } },
    { methods: ['totp'], totp: { user: { id: 'u', passcode: 12_345 } } },
  ])('is invalid where the rest of it is: %j', async (asked) => {
    const response = await identity.client.post('/v3/auth/tokens', {
      body: { auth: { identity: asked } },
    });
    expect(response.status).toBe(400);
  });
});

describe('a login that cannot be read', () => {
  const password = (user: unknown): object => ({ methods: ['password'], password: { user } });
  const good = { id: 'u', password: 'p' };

  it.each<[string, unknown]>([
    ['auth is required', {}],
    ['auth must be an object', { auth: 'x' }],
    ['auth.identity is required', { auth: {} }],
    ['auth.identity.methods is required', { auth: { identity: {} } }],
    ['auth.identity.methods must be an array', { auth: { identity: { methods: 'password' } } }],
    ['each value in auth.identity.methods must be', { auth: { identity: { methods: [5] } } }],
    ['auth.identity.password is required', { auth: { identity: { methods: ['password'] } } }],
    [
      'auth.identity.password.user is required',
      { auth: { identity: { methods: ['password'], password: {} } } },
    ],
    [
      'auth.identity.password.user.password is required',
      { auth: { identity: password({ id: 'u' }) } },
    ],
    [
      'auth.identity.password.user.name must be',
      { auth: { identity: password({ ...good, name: 5 }) } },
    ],
    [
      'auth.identity.password.user.name must be',
      { auth: { identity: password({ ...good, name: 'n'.repeat(256) }) } },
    ],
    [
      'auth.identity.password.user.domain is required',
      { auth: { identity: password({ name: 'n', password: 'p' }) } },
    ],
    [
      'auth.identity.token.id must be',
      { auth: { identity: { methods: ['token'], token: { id: 7 } } } },
    ],
    ['auth.scope must be an object', { auth: { identity: password(good), scope: 'everything' } }],
    ['auth.scope must have exactly one', { auth: { identity: password(good), scope: {} } }],
    [
      'auth.scope.project must have an id or a name',
      { auth: { identity: password(good), scope: { project: {} } } },
    ],
    [
      'auth.scope.project.id must be',
      { auth: { identity: password(good), scope: { project: { id: 'x'.repeat(65) } } } },
    ],
    [
      'auth.scope must have exactly one',
      { auth: { identity: password(good), scope: { trust: {} } } },
    ],
    [
      'auth.identity.password.user.id must hold neither a null character',
      { auth: { identity: password({ id: 'u\0', password: 'p' }) } },
    ],
  ])('is a 400 that says: %s', async (message, body) => {
    const response = await identity.client.post('/v3/auth/tokens', { body });
    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      error: { code: 400, message: expect.stringContaining(message), title: 'Bad Request' },
    });
  });

  it.each(['{', '', '[1,2', 'nonsense'])('is a 400 where the body is %j', async (body) => {
    const response = await identity.client.post('/v3/auth/tokens', { body });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { code: 400, title: 'Bad Request' } });
  });

  it('is a 413 where the body is over the limit', async () => {
    const response = await identity.client.post('/v3/auth/tokens', {
      body: JSON.stringify({ auth: 'x'.repeat(1_100_000) }),
    });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: { code: 413, title: 'Payload Too Large' } });
  });

  it('is a 415 where the body is not JSON by its type', async () => {
    const response = await identity.client.post('/v3/auth/tokens', {
      body: 'auth=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(415);
  });
});
