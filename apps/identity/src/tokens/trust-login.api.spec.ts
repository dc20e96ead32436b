import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { signedIn, tokenIn, tokenOf } from '../identity.fixture.js';
import {
  messageOf,
  startDelegation,
  unwrap,
  type Delegation,
} from '../trusts/delegation.fixture.js';

let world: Delegation;

beforeAll(async () => {
  world = await startDelegation();
});
afterAll(() => world.identity.stop());

/** A trust of the user demo in the service compute. @returns its id */
async function trust(given: object = {}): Promise<string> {
  const response = await world.identity.client.post('/v3/OS-TRUST/trusts', {
    token: world.tokens.demo,
    body: {
      trust: {
        trustor_user_id: world.id('user demo'),
        trustee_user_id: world.id('user compute'),
        project_id: world.id('project demo'),
        impersonation: true,
        roles: [{ name: 'member' }],
        ...given,
      },
    },
  });
  return unwrap(response, 'trust')['id'] as string;
}

const get = (path: string, token: string): Promise<TestResponse> =>
  world.identity.client.get(path, { token, headers: { 'X-Subject-Token': token } });

const setEnabled = (table: string, name: string, enabled: boolean): Promise<unknown> =>
  world.identity.app.dataSource.query(`UPDATE ${table} SET enabled = $1 WHERE name = $2`, [
    enabled,
    name,
  ]);

describe('POST /v3/auth/tokens with the scope of a trust', () => {
  it('gives the trustee a token of the project, as the trustor where it impersonates', async () => {
    const id = await trust();
    const response = await world.byTrust('compute', id);
    expect(response.status).toBe(201);
    const shown = {
      project: { name: 'demo' },
      'OS-TRUST:trust': {
        id,
        impersonation: true,
        trustor_user: { id: world.id('user demo') },
        trustee_user: { id: world.id('user compute') },
      },
    };
    expect(tokenIn(response)).toMatchObject({ ...shown, user: { name: 'demo' } });
    expect((await get('/v3/auth/tokens', signedIn(response))).body).toEqual(response.body);
  });

  it('leaves the trustee who it is where it does not impersonate', async () => {
    const response = await world.byTrust('compute', await trust({ impersonation: false }));
    expect(tokenIn(response)).toMatchObject({
      user: { name: 'compute' },
      'OS-TRUST:trust': { impersonation: false },
    });
    expect((await get('/v3/auth/tokens', signedIn(response))).body).toEqual(response.body);
  });

  it('has the roles of the trust, with what they imply, and no others', async () => {
    const names = async (role: string): Promise<string[]> => {
      const response = await world.byTrust('compute', await trust({ roles: [{ name: role }] }));
      return (tokenIn(response)['roles'] as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('member')).toEqual(['member', 'reader']);
    expect(await names('reader')).toEqual(['reader']);
  });

  it('is a 403 for anybody but the trustee', async () => {
    const response = await world.byTrust('admin', await trust());
    expect([response.status, messageOf(response)]).toEqual([403, 'User is not a trustee.']);
  });

  it('is a 401 for a trust that is not there, has expired or is used up', async () => {
    expect((await world.byTrust('compute', 'nothing')).status).toBe(401);
    const once = await trust({ remaining_uses: 1 });
    expect((await world.byTrust('compute', once)).status).toBe(201);
    expect((await world.byTrust('compute', once)).status).toBe(401);
    const expired = await trust({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    await world.identity.app.dataSource.query(
      'UPDATE trusts SET expires_at = now() WHERE id = $1',
      [expired],
    );
    expect((await world.byTrust('compute', expired)).status).toBe(401);
  });

  it('never outlives the trust', async () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    const response = await world.byTrust('compute', await trust({ expires_at: until }));
    const expiry = Date.parse(tokenIn(response)['expires_at'] as string);
    expect(expiry).toBeLessThanOrEqual(Date.parse(until));
  });

  it('is a 401 while the trustor is disabled, and a 403 once it has lost the role', async () => {
    const id = await trust();
    await setEnabled('users', 'demo', false);
    expect((await world.byTrust('compute', id)).status).toBe(401);
    await setEnabled('users', 'demo', true);
    const { dataSource } = world.identity.app;
    await dataSource.query(
      'UPDATE role_assignments SET role_id = $1 WHERE user_id = $2 AND role_id = $3',
      [world.id('role service'), world.id('user demo'), world.id('role member')],
    );
    expect((await world.byTrust('compute', id)).status).toBe(403);
    await dataSource.query(
      'UPDATE role_assignments SET role_id = $1 WHERE user_id = $2 AND role_id = $3',
      [world.id('role member'), world.id('user demo'), world.id('role service')],
    );
    expect((await world.byTrust('compute', id)).status).toBe(201);
  });

  it('lets no two logins share the last use', async () => {
    const id = await trust({ remaining_uses: 1 });
    const answers = await Promise.all([1, 2, 3].map(() => world.byTrust('compute', id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  });
});

describe('the token of a trust', () => {
  it('cannot be exchanged for another', async () => {
    const token = signedIn(await world.byTrust('compute', await trust()));
    const response = await world.identity.client.post('/v3/auth/tokens', {
      body: { auth: { identity: { methods: ['token'], token: { id: token } } } },
    });
    expect(response.status).toBe(403);
    expect(messageOf(response)).toContain('Using trust-scoped token to create another token');
  });

  it('is revoked with its trust', async () => {
    const { client } = world.identity;
    const works = async (token: string): Promise<boolean> =>
      (await client.get('/v3/auth/projects', { token })).status === 200;
    const id = await trust();
    const token = signedIn(await world.byTrust('compute', id));
    expect(await works(token)).toBe(true);
    await client.delete(`/v3/OS-TRUST/trusts/${id}`, { token: world.tokens.demo });
    expect(await works(token)).toBe(false);
  });

  it.each(['demo', 'compute'])('is revoked with its user %s', async (user) => {
    const { client } = world.identity;
    const token = signedIn(await world.byTrust('compute', await trust()));
    const update = (enabled: boolean): Promise<TestResponse> =>
      client.patch(`/v3/users/${world.id(`user ${user}`)}`, {
        token: world.tokens.admin,
        body: { user: { enabled } },
      });
    expect((await update(false)).status).toBe(200);
    expect((await client.get('/v3/auth/projects', { token })).status).toBe(401);
    await update(true);
    // Its own tokens went too.
    world = { ...world, tokens: { ...world.tokens, demo: await tokenOf(client, 'demo') } };
  });
});
