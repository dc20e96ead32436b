/** Access keys that a token of a trust creates, for everything that reads them. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { accessKeyId } from '../credentials/ec2-blob.js';
import { signedIn, tokenIn } from '../identity.fixture.js';
import {
  messageOf,
  startDelegation,
  unwrap,
  type Delegation,
  type Name,
} from '../trusts/delegation.fixture.js';

interface Key {
  readonly access: string;
  readonly secret: string;
}

let world: Delegation;

beforeAll(async () => {
  world = await startDelegation();
});
afterAll(() => world.identity.stop());

const send = (method: string, path: string, token: string, body?: object): Promise<TestResponse> =>
  world.identity.client.send(method, `/v3${path}`, { token, body });
const sql = (text: string, params: unknown[] = []): Promise<unknown> =>
  world.identity.app.dataSource.query(text, params);

/** By default demo lets compute act as a reader of its project. @returns its id */
async function trust(
  given: object = {},
  { token = world.tokens.demo, trustee = 'compute' } = {},
): Promise<string> {
  const terms = {
    trustor_user_id: world.id('user demo'),
    trustee_user_id: world.id(`user ${trustee}`),
    project_id: world.id('project demo'),
    impersonation: true,
    roles: [{ name: 'reader' }],
    ...given,
  };
  return unwrap(await send('POST', '/OS-TRUST/trusts', token, { trust: terms }), 'trust')[
    'id'
  ] as string;
}

const tokenBy = async (trustId: string, trustee: Name = 'compute'): Promise<string> =>
  signedIn(await world.byTrust(trustee, trustId));
const keys = (user = 'demo'): string => `/users/${world.id(`user ${user}`)}/credentials/OS-EC2`;
const make = (token: string, { user = 'demo', project = 'demo' } = {}): Promise<TestResponse> =>
  send('POST', keys(user), token, { tenant_id: world.id(`project ${project}`) });

async function made(token: string, user?: string): Promise<Key> {
  return unwrap(await make(token, { user: user ?? 'demo' }), 'credential') as unknown as Key;
}

async function listed(token: string): Promise<unknown[]> {
  return unwrap(await send('GET', keys(), token), 'credentials') as unknown as unknown[];
}

/** As a service asks about a signature. */
function exchange({ access, secret }: Key): Promise<TestResponse> {
  const params = { SignatureVersion: '0', Action: 'Act', Timestamp: new Date().toISOString() };
  const signature = createHmac('sha1', secret)
    .update(params.Action + params.Timestamp)
    .digest('base64');
  const request = { verb: 'GET', host: 'h', path: '/', params, headers: {}, body_hash: '' };
  const credentials = { access, signature, ...request };
  return send('POST', '/ec2tokens', world.tokens.compute, { credentials });
}

/** As the s3 service asks. */
const read = ({ access }: Key): Promise<TestResponse> =>
  send('GET', `/OS-EC2/access-keys/${access}`, world.tokens.compute);

const uses = async (key: Key): Promise<number[]> => [
  (await exchange(key)).status,
  (await read(key)).status,
];

describe('an access key made by a token of a trust', () => {
  it('is of the trustor, for the project and within the trust', async () => {
    const trustId = await trust();
    const token = await tokenBy(trustId);
    const response = await make(token);
    const key = unwrap(response, 'credential');
    expect([response.status, key]).toMatchObject([
      201,
      {
        user_id: world.id('user demo'),
        tenant_id: world.id('project demo'),
        trust_id: trustId,
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    const path = `${keys()}/${String(key['access'])}`;
    for (const reader of [token, world.tokens.demo]) {
      expect(unwrap(await send('GET', path, reader), 'credential')).toEqual(key);
      expect(await listed(reader)).toContainEqual(key);
    }
    const id = accessKeyId(String(key['access']));
    const shown = unwrap(await send('GET', `/credentials/${id}`, world.tokens.demo), 'credential');
    expect(JSON.parse(String(shown['blob']))).toMatchObject({ trust_id: trustId });
    expect((await send('DELETE', path, token)).status).toBe(204);
    expect(await listed(token)).toEqual([]);
  });

  it('is hidden from other trusts, as are keys that its user created in person', async () => {
    const [one, other] = [await tokenBy(await trust()), await tokenBy(await trust())];
    const ofOne = await made(one);
    await made(world.tokens.demo);
    expect(await listed(one)).toEqual([expect.objectContaining(ofOne)]);
    expect(await listed(other)).toEqual([]);
    const path = `${keys()}/${ofOne.access}`;
    expect((await send('GET', path, other)).status).toBe(403);
    expect((await send('DELETE', path, other)).status).toBe(403);
  });

  it('is made once, however often it is asked for under one Idempotency-Key', async () => {
    const token = await tokenBy(await trust());
    const headers = { 'Idempotency-Key': newId() };
    const body = { tenant_id: world.id('project demo') };
    const post = (): Promise<TestResponse> =>
      world.identity.client.post(`/v3${keys()}`, { token, body, headers });
    const [first, again] = [await post(), await post()];
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(await listed(token)).toHaveLength(1);
  });

  it('is not answered to another under the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const body = { tenant_id: world.id('project demo') };
    const tokens = [world.tokens.demo, await tokenBy(await trust()), await tokenBy(await trust())];
    const made = await Promise.all(
      tokens.map((token) => world.identity.client.post(`/v3${keys()}`, { token, body, headers })),
    );
    const secrets = made.map((response) => unwrap(response, 'credential')['secret']);
    expect(new Set(secrets).size).toBe(3);
  });

  it('gives the roles of the trust, and no others', async () => {
    const trustId = await trust();
    const key = await made(await tokenBy(trustId));
    const response = await exchange(key);
    expect(tokenIn(response)).toMatchObject({
      methods: ['ec2credential'],
      user: { name: 'demo' },
      project: { name: 'demo' },
      roles: [{ name: 'reader' }],
      'OS-TRUST:trust': { id: trustId, trustee_user: { id: world.id('user compute') } },
    });
    expect(unwrap(await read(key), 'access_key')).toMatchObject({
      user_id: world.id('user demo'),
      project_id: world.id('project demo'),
      roles: ['reader'],
      trust: {
        id: trustId,
        trustor_user_id: world.id('user demo'),
        trustee_user_id: world.id('user compute'),
        intermediary_user_ids: [],
      },
    });
  });

  it('is of the trustee where the trust does not impersonate', async () => {
    const key = await made(await tokenBy(await trust({ impersonation: false })), 'compute');
    expect(tokenIn(await exchange(key))).toMatchObject({ user: { name: 'compute' } });
    expect(unwrap(await read(key), 'access_key')).toMatchObject({
      user_id: world.id('user compute'),
      project_id: world.id('project demo'),
      roles: ['reader'],
    });
  });

  it('gives a token with no more rights than the trust', async () => {
    const key = await made(await tokenBy(await trust()));
    const token = signedIn(await exchange(key));
    const credential = { user_id: world.id('user demo'), type: 'cert', blob: 'b' };
    const again = {
      trustor_user_id: world.id('user demo'),
      trustee_user_id: world.id('user compute'),
      project_id: world.id('project demo'),
      impersonation: true,
      roles: [{ name: 'reader' }],
    };
    const owned = `/users/${world.id('user demo')}/application_credentials`;
    const answers = [
      await send('POST', '/credentials', token, { credential }),
      await send('GET', '/credentials', token),
      await send('PATCH', `/credentials/${accessKeyId(key.access)}`, token, {
        credential: { blob: JSON.stringify({ ...key, trust_id: null }) },
      }),
      await send('POST', owned, token, { application_credential: { name: 'more' } }),
      await send('POST', '/OS-TRUST/trusts', token, { trust: again }),
      await send('POST', '/auth/tokens', token, {
        auth: { identity: { methods: ['token'], token: { id: token } } },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });

  it('is for the trust’s own user and project', async () => {
    const ofAdmin = await trust(
      {
        trustor_user_id: world.id('user admin'),
        project_id: world.id('project admin'),
        roles: [{ name: 'admin' }],
      },
      { token: world.tokens.admin },
    );
    const token = await tokenBy(ofAdmin);
    const forOther = await make(token, { user: 'demo', project: 'admin' });
    expect([forOther.status, messageOf(forOther)]).toEqual([
      403,
      `A token of the trust ${ofAdmin} can create credentials of its own user only, ${world.id('user admin')}.`,
    ]);
    expect((await make(token, { user: 'admin', project: 'demo' })).status).toBe(403);
    expect((await make(token, { user: 'admin', project: 'admin' })).status).toBe(201);
  });

  it('keeps its limits when its owner changes it', async () => {
    const key = await made(await tokenBy(await trust()));
    const id = accessKeyId(key.access);
    const patch = (credential: object, token = world.tokens.demo): Promise<TestResponse> =>
      send('PATCH', `/credentials/${id}`, token, { credential });
    const blob = JSON.stringify({ access: key.access, secret: key.secret });
    expect((await patch({ blob })).status).toBe(400);
    expect((await patch({ user_id: world.id('user admin') }, world.tokens.admin)).status).toBe(200);
    expect(await uses(key)).toEqual([401, 404]);
  });

  it('is not bound by the trust that its blob names', async () => {
    const trustId = await trust();
    const key = { access: newId(), secret: newId() };
    const credential = {
      user_id: world.id('user demo'),
      project_id: world.id('project demo'),
      type: 'ec2',
      blob: JSON.stringify({ ...key, trust_id: trustId }),
    };
    expect((await send('POST', '/credentials', world.tokens.demo, { credential })).status).toBe(
      201,
    );
    expect(await uses(key)).toEqual([404, 404]);
    expect(await listed(await tokenBy(trustId))).toEqual([]);
  });
});

describe('an access key of a trust ends', () => {
  it('with the trust', async () => {
    const trustId = await trust();
    const key = await made(await tokenBy(trustId));
    const token = signedIn(await exchange(key));
    expect(await uses(key)).toEqual([200, 200]);
    await send('DELETE', `/OS-TRUST/trusts/${trustId}`, world.tokens.demo);
    expect(await uses(key)).toEqual([404, 404]);
    expect((await send('GET', '/auth/projects', token)).status).toBe(401);
    const path = `${keys()}/${key.access}`;
    expect((await send('GET', path, world.tokens.demo)).status).toBe(404);
  });

  it('with the trust that its trust was made from', async () => {
    const first = await trust({ allow_redelegation: true }, { trustee: 'admin' });
    const second = await trust({}, { token: await tokenBy(first, 'admin') });
    const key = await made(await tokenBy(second));
    expect(unwrap(await read(key), 'access_key')).toMatchObject({
      trust: { id: second, intermediary_user_ids: [world.id('user admin')] },
    });
    await send('DELETE', `/OS-TRUST/trusts/${first}`, world.tokens.demo);
    expect(await uses(key)).toEqual([404, 404]);
  });

  it('when the trust expires, and is not cached longer', async () => {
    const trustId = await trust({ expires_at: '2999-01-01T00:00:00Z' });
    const key = await made(await tokenBy(trustId));
    await sql(`UPDATE trusts SET expires_at = now() + interval '10 minutes' WHERE id = $1`, [
      trustId,
    ]);
    const { issued_at: from, expires_at: to } = unwrap(await read(key), 'access_key');
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBeLessThanOrEqual(600_000);
    await sql('UPDATE trusts SET expires_at = now() WHERE id = $1', [trustId]);
    expect(await uses(key)).toEqual([401, 404]);
  });

  it('when the trust has no uses left, of which each read takes one', async () => {
    const key = await made(await tokenBy(await trust({ remaining_uses: 3 })));
    expect(await uses(key)).toEqual([200, 200]);
    expect(await uses(key)).toEqual([401, 404]);
  });

  it.each([
    ['the trustor is', 'users', 'demo'],
    ['the project is', 'projects', 'demo'],
    ['a domain is', 'domains', 'Default'],
  ])('while %s disabled', async (_, table, name) => {
    const { compute } = world.tokens;
    const key = await made(await tokenBy(await trust()));
    const enable = `UPDATE ${table} SET enabled = $1 WHERE name = $2`;
    await sql(enable, [false, name]);
    const refused = await read(key);
    await sql(enable, [true, name]);
    expect(refused.status).toBe(404);
    expect((await send('GET', `/OS-EC2/access-keys/${key.access}`, compute)).status).toBe(200);
  });

  it('while the trustee is disabled', async () => {
    const key = await made(await tokenBy(await trust({}, { trustee: 'admin' }), 'admin'));
    const enable = `UPDATE users SET enabled = $1 WHERE name = 'admin'`;
    await sql(enable, [false]);
    const answers = await uses(key);
    await sql(enable, [true]);
    expect(answers).toEqual([401, 404]);
  });

  it('while the trustor lacks a role that it gave', async () => {
    const key = await made(await tokenBy(await trust({ roles: [{ name: 'member' }] })));
    const grant = 'UPDATE role_assignments SET inherited = $1 WHERE user_id = $2';
    await sql(grant, [true, world.id('user demo')]);
    const answers = await uses(key);
    await sql(grant, [false, world.id('user demo')]);
    expect(answers).toEqual([403, 404]);
    expect(await uses(key)).toEqual([200, 200]);
  });
});
