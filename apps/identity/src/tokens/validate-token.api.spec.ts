import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import {
  login,
  namedIn,
  projectScope,
  resourceIn,
  signedIn,
  startIdentity,
  startReplica,
  tokenIn,
  tokenOf,
  type OnWire,
  type TestIdentity,
} from '../identity.fixture.js';

let identity: TestIdentity;
let admin: string;
let demo: string;

beforeAll(async () => {
  identity = await startIdentity();
});
beforeEach(async () => {
  admin = await tokenOf(identity.client, 'admin');
  demo = await tokenOf(identity.client, 'demo');
});
afterAll(() => identity.stop());

function about(method: string, token: string, subject?: string): Promise<TestResponse> {
  const headers = subject === undefined ? {} : { 'X-Subject-Token': subject };
  return identity.client.send(method, '/v3/auth/tokens', { token, headers });
}

describe('GET /v3/auth/tokens', () => {
  it('answers 200 with the token as it was issued', async () => {
    const issued = await login(identity.client, { scope: projectScope('admin') });
    const subject = signedIn(issued);
    const shown = await about('GET', subject, subject);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('X-Subject-Token')).toBe(subject);
    expect(shown.body).toEqual(issued.body);
  });

  it('shows tokens of each scope', async () => {
    for (const scope of ['unscoped', { domain: { id: 'default' } }, { system: { all: true } }]) {
      const issued = await login(identity.client, { scope });
      expect((await about('GET', admin, signedIn(issued))).body).toEqual(issued.body);
    }
  });

  it('leaves the catalog out where nocatalog is given', async () => {
    const shown = await identity.client.get('/v3/auth/tokens?nocatalog=1', {
      token: admin,
      headers: { 'X-Subject-Token': admin },
    });
    expect(tokenIn(shown)).not.toHaveProperty('catalog');
  });

  it('shows the token of another user to administrators and services alone', async () => {
    const service = await tokenOf(identity.client, 'compute');
    expect((await about('GET', admin, demo)).status).toBe(200);
    expect((await about('GET', service, demo)).status).toBe(200);
    const refused = await about('GET', demo, admin);
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      error: {
        code: 403,
        message: 'You are not authorized to perform the requested action: identity:validate_token.',
        title: 'Forbidden',
      },
    });
  });

  it('answers 404 without a subject, and 401 without a token', async () => {
    expect((await about('GET', admin)).status).toBe(404);
    expect((await identity.client.get('/v3/auth/tokens')).status).toBe(401);
  });

  it('knows a token no more once its user or project is disabled', async () => {
    for (const table of ['users', 'projects']) {
      const set = (enabled: boolean): Promise<unknown> =>
        identity.app.dataSource.query(`UPDATE ${table} SET enabled = $1 WHERE name = 'demo'`, [
          enabled,
        ]);
      await set(false);
      expect((await about('GET', admin, demo)).status).toBe(404);
      await set(true);
      expect((await about('GET', admin, demo)).status).toBe(200);
    }
  });
});

describe('GET /v3/auth/tokens of a token that was shown before', () => {
  let replica: TestIdentity;
  let subject: string;
  let named: (key: string) => string;

  beforeAll(async () => {
    replica = await startReplica(identity);
    named = await namedIn(identity);
  });
  beforeEach(async () => {
    subject = await tokenOf(identity.client, 'demo');
    expect((await about('GET', admin, subject)).status).toBe(200);
  });
  afterAll(() => replica.stop());

  /** A change by way of the other replica. */
  async function change(method: string, path: string, body?: object): Promise<TestResponse> {
    const answer = await replica.client.send(method, `/v3${path}`, { token: admin, body });
    expect(answer.status).toBeLessThan(300);
    return answer;
  }

  it('has the names that another replica has just given', async () => {
    for (const kind of ['user', 'project']) {
      const path = `/${kind}s/${named(`${kind} demo`)}`;
      await change('PATCH', path, { [kind]: { name: 'renamed' } });
      expect(tokenIn(await about('GET', admin, subject))[kind]).toMatchObject({ name: 'renamed' });
      await change('PATCH', path, { [kind]: { name: 'demo' } });
      expect(tokenIn(await about('GET', admin, subject))[kind]).toMatchObject({ name: 'demo' });
    }
  });

  it('has the catalog that another replica has just changed', async () => {
    const made = await change('POST', '/services', { service: { type: 'new', name: 'newer' } });
    const { id } = resourceIn(made, 'service');
    const isListed = async (): Promise<boolean> =>
      (tokenIn(await about('GET', admin, subject))['catalog'] as OnWire[]).some(
        (entry) => entry.id === id,
      );
    expect(await isListed()).toBe(true);
    await change('DELETE', `/services/${id}`);
    expect(await isListed()).toBe(false);
  });

  it('is known no more once another replica has disabled its user or taken its role', async () => {
    const [user, project] = [named('user demo'), named('project demo')];
    const given: { role_id: string }[] = await identity.app.dataSource.query(
      'SELECT role_id FROM role_assignments WHERE user_id = $1 AND project_id = $2',
      [user, project],
    );
    const roles = given.map((row) => `/projects/${project}/users/${user}/roles/${row.role_id}`);
    await change('PATCH', `/users/${user}`, { user: { enabled: false } });
    expect((await about('GET', admin, subject)).status).toBe(404);
    await change('PATCH', `/users/${user}`, { user: { enabled: true } });
    const second = await tokenOf(identity.client, 'demo');
    expect((await about('GET', admin, second)).status).toBe(200);
    for (const role of roles) await change('DELETE', role);
    expect((await about('GET', admin, second)).status).toBe(404);
    for (const role of roles) await change('PUT', role);
  });
});

describe('HEAD /v3/auth/tokens', () => {
  it('answers as GET does, without a body', async () => {
    const good = await about('HEAD', admin, demo);
    expect([good.status, good.text]).toEqual([200, '']);
    expect(good.headers.get('X-Subject-Token')).toBe(demo);
    expect((await about('HEAD', admin, 'nonsense')).status).toBe(404);
    expect((await about('HEAD', 'nonsense', demo)).status).toBe(401);
    expect((await about('HEAD', demo, admin)).status).toBe(403);
  });
});

describe('DELETE /v3/auth/tokens', () => {
  it('revokes the token at once, and no other', async () => {
    const other = await tokenOf(identity.client, 'demo');
    const response = await about('DELETE', demo, demo);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await about('GET', demo, other)).status).toBe(401);
    expect((await about('GET', other, other)).status).toBe(200);
  });

  it('leaves what was made from the token', async () => {
    const child = signedIn(
      await identity.client.post('/v3/auth/tokens', {
        body: {
          auth: {
            identity: { methods: ['token'], token: { id: demo } },
            scope: projectScope('demo'),
          },
        },
      }),
    );
    await about('DELETE', admin, demo);
    expect((await about('GET', child, child)).status).toBe(200);
  });

  it('is refused to services and to other users', async () => {
    const service = await tokenOf(identity.client, 'compute');
    expect((await about('DELETE', service, demo)).status).toBe(403);
    expect((await about('DELETE', demo, admin)).status).toBe(403);
    expect((await about('GET', admin, admin)).status).toBe(200);
  });

  it('answers 404 for a token that is already revoked', async () => {
    await about('DELETE', admin, demo);
    expect((await about('DELETE', admin, demo)).status).toBe(404);
  });

  it('reaches other replicas on the same database', async () => {
    const replica = await startReplica(identity);
    try {
      const status = async (): Promise<number> =>
        (await replica.client.get('/v3/auth/projects', { token: demo })).status;
      expect(await status()).toBe(200);
      await about('DELETE', admin, demo);
      await eventually('the other replica refuses the token', async () => (await status()) === 401);
    } finally {
      await replica.stop();
    }
  });
});
