import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { TestResponse } from '@cumulet/testing/http-client';
import { projectScope, signedIn, tokenIn } from '../identity.fixture.js';
import {
  messageOf,
  startDelegation,
  unwrap,
  type Delegation,
} from '../trusts/delegation.fixture.js';

let world: Delegation;
let demoPath: string;

beforeAll(async () => {
  world = await startDelegation();
  demoPath = `/v3/users/${world.id('user demo')}`;
});
afterAll(() => world.identity.stop());

interface Made {
  readonly id: string;
  readonly secret: string;
}

async function make(name: string, given: object = {}): Promise<Made> {
  const response = await world.identity.client.post(`${demoPath}/application_credentials`, {
    token: world.tokens.demo,
    body: { application_credential: { name, ...given } },
  });
  return unwrap(response, 'application_credential') as unknown as Made;
}

const authenticate = (auth: object): Promise<TestResponse> =>
  world.identity.client.post('/v3/auth/tokens', { body: { auth } });

const credential = (given: object): object => ({
  methods: ['application_credential'],
  application_credential: given,
});

describe('POST /v3/auth/tokens with an application credential', () => {
  it('gives a token of its project, with its roles, that says so', async () => {
    const { id, secret } = await make('first', { roles: [{ name: 'reader' }] });
    const response = await world.byCredential(id, secret);
    expect(response.status).toBe(201);
    expect(tokenIn(response)).toMatchObject({
      methods: ['application_credential'],
      user: { name: 'demo' },
      project: { name: 'demo' },
      roles: [{ name: 'reader' }],
      application_credential: { id, name: 'first', restricted: true },
    });
  });

  it('gives none where the rules of its user do not name the method, and no receipt', async () => {
    const { id, secret } = await make('one factor');
    const set = `UPDATE users SET options = $1 WHERE name = 'demo'`;
    const sql = (rules: string[][]): Promise<unknown> =>
      world.identity.app.dataSource.query(set, [{ multi_factor_auth_rules: rules }]);
    await sql([['password', 'totp']]);
    const refused = await world.byCredential(id, secret);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('Openstack-Auth-Receipt')).toBeNull();
    await sql([['password', 'totp'], ['application_credential']]);
    expect((await world.byCredential(id, secret)).status).toBe(201);
    await sql([]);
  });

  it('takes it by name and user as well', async () => {
    const { secret } = await make('by name');
    const user = { name: 'demo', domain: { id: 'default' } };
    const response = await authenticate({
      identity: credential({ name: 'by name', user, secret }),
    });
    expect(response.status).toBe(201);
  });

  it('shows the token as it was issued', async () => {
    const { id, secret } = await make('shown', {
      access_rules: [{ service: 'identity', method: 'GET', path: '/v3/auth/tokens' }],
    });
    const issued = await world.byCredential(id, secret);
    const token = signedIn(issued);
    const shown = await world.identity.client.get('/v3/auth/tokens', {
      token,
      headers: { 'X-Subject-Token': token },
    });
    expect(shown.body).toEqual(issued.body);
    expect(tokenIn(shown)).toMatchObject({
      application_credential: {
        access_rules: [{ service: 'identity', method: 'GET', path: '/v3/auth/tokens' }],
      },
    });
  });

  it('is a 401 for a wrong secret and for one that is not there, after the same work', async () => {
    const { id } = await make('guessed');
    const { passwords } = world.identity;
    for (const given of [
      { id, secret: 'wrong' },
      { id: 'nobody', secret: 'wrong' },
    ]) {
      passwords.verifications = 0;
      const response = await authenticate({ identity: credential(given) });
      expect(response.status).toBe(401);
      expect(messageOf(response)).toBe('The request you have made requires authentication.');
      expect(passwords.verifications).toBe(1);
    }
  });

  it('is a 401 once it has expired, and its tokens never outlive it', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { id, secret } = await make('short', { expires_at: soon });
    const token = tokenIn(await world.byCredential(id, secret));
    expect(Date.parse(token['expires_at'] as string)).toBeLessThanOrEqual(Date.parse(soon));
    await world.identity.app.dataSource.query(
      `UPDATE application_credentials SET expires_at = now() WHERE id = $1`,
      [id],
    );
    expect((await world.byCredential(id, secret)).status).toBe(401);
  });

  it('is a 401 with a scope, and a 400 beside another method or without its parts', async () => {
    const { id, secret } = await make('scoped');
    const identity = credential({ id, secret });
    const refused = await authenticate({ identity, scope: projectScope('demo') });
    expect([refused.status, messageOf(refused)]).toEqual([
      401,
      'Application credentials cannot request a scope.',
    ]);
    for (const bad of [
      { ...identity, methods: ['application_credential', 'token'], token: { id: 'x' } },
      { methods: ['application_credential'] },
      credential({ secret }),
      credential({ name: 'scoped', secret }),
      credential({ id }),
    ]) {
      expect((await authenticate({ identity: bad })).status).toBe(400);
    }
  });

  it('is a 401 once its user has lost one of its roles', async () => {
    const { id, secret } = await make('lost', { roles: [{ name: 'member' }] });
    const { dataSource } = world.identity.app;
    const rows: { id: string }[] = await dataSource.query(
      'DELETE FROM role_assignments WHERE user_id = $1 AND role_id = $2 RETURNING id',
      [world.id('user demo'), world.id('role member')],
    );
    expect((await world.byCredential(id, secret)).status).toBe(401);
    await dataSource.query(
      `INSERT INTO role_assignments (id, user_id, role_id, project_id) VALUES ($1, $2, $3, $4)`,
      [
        rows[0] ? 'a'.repeat(32) : 'b'.repeat(32),
        world.id('user demo'),
        world.id('role member'),
        world.id('project demo'),
      ],
    );
    expect((await world.byCredential(id, secret)).status).toBe(201);
  });
});

describe('a token of an application credential', () => {
  const exchange = (token: string, scope?: object): Promise<TestResponse> =>
    authenticate({
      identity: { methods: ['token'], token: { id: token } },
      ...(scope ? { scope } : {}),
    });

  it('can be exchanged for one that is limited as it is, and for no other', async () => {
    const { id, secret } = await make('exchanged', { roles: [{ name: 'reader' }] });
    const token = signedIn(await world.byCredential(id, secret));
    const next = await exchange(token);
    expect(tokenIn(next)).toMatchObject({
      methods: ['token', 'application_credential'],
      roles: [{ name: 'reader' }],
      application_credential: { id },
    });
    expect(decodeJwt(signedIn(next))['ac']).toEqual([id, false]);
    for (const scope of [projectScope('demo'), { unscoped: {} }]) {
      expect((await exchange(token, scope)).status).toBe(403);
    }
  });

  it('is revoked with its credential, at once', async () => {
    const { id, secret } = await make('removed');
    const token = signedIn(await world.byCredential(id, secret));
    const { client } = world.identity;
    expect((await client.get('/v3/auth/projects', { token })).status).toBe(200);
    await client.delete(`${demoPath}/application_credentials/${id}`, { token: world.tokens.demo });
    expect((await client.get('/v3/auth/projects', { token })).status).toBe(401);
    expect((await world.byCredential(id, secret)).status).toBe(401);
  });
});
