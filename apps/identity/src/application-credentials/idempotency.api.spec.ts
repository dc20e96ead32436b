/** Secrets that are shown once, requested with an Idempotency-Key. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startDelegation, unwrap, type Delegation } from '../trusts/delegation.fixture.js';

let world: Delegation;

beforeAll(async () => {
  world = await startDelegation();
});
afterAll(() => world.identity.stop());

function post(key: string, name: string, token = world.tokens.demo): Promise<TestResponse> {
  return world.identity.client.post(`/v3/users/${world.id('user demo')}/application_credentials`, {
    token,
    body: { application_credential: { name } },
    headers: { 'Idempotency-Key': key },
  });
}

describe('an application credential created with an Idempotency-Key', () => {
  it('is shown again with its secret, which is stored nowhere in plain', async () => {
    const key = newId();
    const first = await post(key, 'once');
    const again = await post(key, 'once');
    expect([again.status, again.text]).toEqual([201, first.text]);
    const { secret } = unwrap(again, 'application_credential');
    const { manager } = world.identity.ctx;
    const rows = JSON.stringify(await manager.query('SELECT * FROM idempotency_keys'));
    expect(secret).toMatch(/^[\w-]{86}$/);
    expect(rows).toContain('v1.');
    expect(rows).not.toContain(secret);
  });

  it('is shown to nobody else', async () => {
    const key = newId();
    await post(key, 'mine');
    expect((await post(key, 'mine', world.tokens.admin)).status).toBe(403);
  });

  it('is 422 under another name', async () => {
    const key = newId();
    await post(key, 'first name');
    const answer = await post(key, 'second name');
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: { code: 422, title: 'Unprocessable Entity' } },
    ]);
  });
});

describe('a key', () => {
  it('is separate for each user', async () => {
    const key = newId();
    const create = (token: string) =>
      world.identity.client.post('/v3/credentials', {
        token,
        body: {
          credential: { type: 'totp', blob: 'GEZDGNBVGY3TQOJQ', user_id: world.id('user demo') },
        },
        headers: { 'Idempotency-Key': key },
      });
    const answers = [await create(world.tokens.demo), await create(world.tokens.admin)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const ids = answers.map((answer) => unwrap(answer, 'credential')['id']);
    expect(new Set(ids).size).toBe(2);
  });

  it('is ignored by logins: each issues a new token', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const identity = {
      methods: ['token'],
      token: { id: world.tokens.demo },
    };
    const body = { auth: { identity } };
    const login = () => world.identity.client.post('/v3/auth/tokens', { body, headers });
    const tokens = [await login(), await login()].map(({ headers: h }) => h.get('X-Subject-Token'));
    expect(tokens[0]).toMatch(/^\S{40,}$/);
    expect(tokens[1]).not.toBe(tokens[0]);
  });
});
