import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import type { IdentityConfig } from '../../config.js';
import {
  startIdentity,
  startReplica,
  tokenOf,
  type TestIdentity,
  resourceIn,
} from '../../identity.fixture.js';
import {
  changeOwnPassword,
  changeUser,
  logIn,
  makeUser,
  PASSWORD,
  statusOf,
  tokenOfUser,
} from '../user.fixture.js';

let identity: TestIdentity;
let admin: string;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client);
});
afterAll(() => identity.stop());

async function newUser(fields: object = {}): Promise<string> {
  return (await makeUser(identity, admin, fields)).id;
}

function expectUnauthorized(response: TestResponse): void {
  expect(response.status).toBe(401);
  expect(response.body).toEqual({
    error: {
      code: 401,
      message: 'The request you have made requires authentication.',
      title: 'Unauthorized',
    },
  });
}

describe('POST /v3/users/{user_id}/password', () => {
  it('changes the password, without a token', async () => {
    const id = await newUser();
    const response = await changeOwnPassword(identity, id, PASSWORD, 'new');
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await logIn(identity, id, 'new')).status).toBe(201);
    expect((await logIn(identity, id, PASSWORD)).status).toBe(401);
  });

  it('revokes the tokens of the user at once', async () => {
    const id = await newUser();
    const token = await tokenOfUser(identity, id);
    await changeOwnPassword(identity, id, PASSWORD, 'new');
    expect(await statusOf(identity, token)).toBe(401);
    expect(await statusOf(identity, admin)).toBe(200);
  });

  it('is done once where it is asked for twice with the same password', async () => {
    const id = await newUser();
    const responses = await Promise.all([
      changeOwnPassword(identity, id, PASSWORD, 'one'),
      changeOwnPassword(identity, id, PASSWORD, 'other'),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['another password', () => newUser(), 'wrong'],
    ['an empty password', () => newUser(), ''],
    ['a user that nobody is', () => Promise.resolve('nobody'), PASSWORD],
    ['a user that is disabled', () => newUser({ enabled: false }), PASSWORD],
    ['a user without a password', () => newUser({ password: null }), PASSWORD],
  ])('is the same 401 after the same work for %s', async (_, user, original) => {
    const id = await user();
    identity.passwords.verifications = 0;
    expectUnauthorized(await changeOwnPassword(identity, id, original, 'new'));
    expect(identity.passwords.verifications).toBe(1);
  });

  it('is a 400 for a user whose password is locked, once it has proved itself', async () => {
    const id = await newUser({ options: { lock_password: true } });
    expectUnauthorized(await changeOwnPassword(identity, id, 'wrong', 'new'));
    const response = await changeOwnPassword(identity, id, PASSWORD, 'new');
    expect(response.status).toBe(400);
    expect(response.text).toContain('lock_password');
  });

  it.each<[string, unknown]>([
    ['user is required', {}],
    ['user.original_password is required', { user: { password: 'new' } }],
    ['user.password is required', { user: { original_password: PASSWORD } }],
    ['user.password must be', { user: { original_password: PASSWORD, password: '' } }],
    ['user.password is required', { user: { original_password: PASSWORD, password: null } }],
    [
      'user.password must be',
      { user: { original_password: PASSWORD, password: 'p'.repeat(4097) } },
    ],
    [
      'user.name is not a property',
      { user: { original_password: PASSWORD, password: 'new', name: 'n' } },
    ],
  ])('is a 400: %s', async (message, body) => {
    const response = await identity.client.post('/v3/users/any/password', { body });
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
  });
});

describe('who guesses passwords', () => {
  const guess = (id: string): Promise<TestResponse> => changeOwnPassword(identity, id, 'x', 'new');

  it('is locked out after ten failures, of any kind, and hears no difference', async () => {
    const id = await newUser();
    for (let n = 0; n < 5; n += 1) {
      expectUnauthorized(await guess(id));
      expectUnauthorized(await logIn(identity, id, 'wrong'));
    }
    expectUnauthorized(await changeOwnPassword(identity, id, PASSWORD, 'new'));
    expectUnauthorized(await logIn(identity, id));
  });

  it('finds the user let in again once an administrator has changed it', async () => {
    const id = await newUser();
    for (let n = 0; n < 10; n += 1) await guess(id);
    await changeUser(identity, admin, id, { enabled: true });
    expect((await logIn(identity, id)).status).toBe(201);
  });

  it('does not lock out a user that ignores it', async () => {
    const id = await newUser({ options: { ignore_lockout_failure_attempts: true } });
    for (let n = 0; n < 11; n += 1) expectUnauthorized(await guess(id));
    expect((await changeOwnPassword(identity, id, PASSWORD, 'new')).status).toBe(204);
  });

  it('is treated alike where nobody is the user', async () => {
    identity.passwords.verifications = 0;
    for (let n = 0; n < 11; n += 1) expectUnauthorized(await guess('somebody'));
    expect(identity.passwords.verifications).toBe(11);
  });
});

describe('the rules for passwords', () => {
  let strict: TestIdentity | undefined;

  afterEach(async () => {
    await strict?.stop();
    strict = undefined;
  });

  /** Another process of the service on the same database, with other settings. */
  async function withRules(rules: Partial<IdentityConfig>): Promise<TestIdentity> {
    strict = await startReplica(identity, rules);
    return strict;
  }

  it('refuse, in the operator’s words, what does not match the pattern', async () => {
    const rules = {
      passwordPattern: /^(?:\d{8})/u,
      passwordPatternText: 'begin with eight digits',
    };
    const service = await withRules(rules);
    const id = await newUser();
    const responses = [
      await changeOwnPassword(service, id, PASSWORD, 'new'),
      await changeUser(service, admin, id, { password: 'new' }),
      await changeUser(service, admin, id, { password: null }),
      await service.client.post('/v3/users', {
        token: admin,
        body: { user: { name: 'weak', password: 'new' } },
      }),
    ];
    for (const { status, text } of responses) {
      expect(status).toBe(400);
      expect(text).toContain('does not match the requirements: begin with eight digits.');
    }
    expect((await changeOwnPassword(service, id, PASSWORD, '12345678')).status).toBe(204);
  });

  it('refuse a password that the user had before, though not from an administrator', async () => {
    const service = await withRules({ passwordHistory: 2 });
    const id = await newUser();
    const change = async (from: string, to: string): Promise<number> =>
      (await changeOwnPassword(service, id, from, to)).status;
    expect(await change(PASSWORD, PASSWORD)).toBe(400);
    expect(await change(PASSWORD, 'second')).toBe(204);
    expect(await change('second', PASSWORD)).toBe(400);
    expect(await change('second', 'third')).toBe(204);
    expect(await change('third', PASSWORD)).toBe(204);
    expect((await changeUser(service, admin, id, { password: 'third' })).status).toBe(200);
  });

  it('count those among them that an administrator has replaced', async () => {
    const service = await withRules({ passwordHistory: 2 });
    const id = await newUser();
    await changeUser(service, admin, id, { password: 'given' });
    const response = await changeOwnPassword(service, id, 'given', PASSWORD);
    expect(response.status).toBe(400);
    expect(response.text).toContain('one of the last 2');
  });

  it('refuse to change too soon what the user has chosen itself', async () => {
    const service = await withRules({ passwordMinimumAge: 1 });
    const id = await newUser();
    expect((await changeOwnPassword(service, id, PASSWORD, 'chosen')).status).toBe(204);
    const response = await changeOwnPassword(service, id, 'chosen', 'next');
    expect(response.status).toBe(400);
    expect(response.text).toContain('must be kept for 1 day');
    await identity.app.dataSource.query(
      `UPDATE users SET password_set_at = now() - interval '1 day' WHERE id = $1`,
      [id],
    );
    expect((await changeOwnPassword(service, id, 'chosen', 'next')).status).toBe(204);
  });

  it('let passwords expire, which can then only be changed', async () => {
    const service = await withRules({ passwordExpiry: 30 });
    const { id, ...user } = await makeUser(service, admin);
    const expiry = String(user['password_expires_at']);
    expect(expiry).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000$/);
    const days = (Date.parse(`${expiry}Z`) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    await identity.app.dataSource.query(
      'UPDATE users SET password_expires_at = now() WHERE id = $1',
      [id],
    );
    expect((await logIn(service, id)).status).toBe(401);
    expect((await changeOwnPassword(service, id, PASSWORD, 'new')).status).toBe(204);
    expect((await logIn(service, id, 'new')).status).toBe(201);
  });

  it('do not let those of a user expire that ignores it', async () => {
    const service = await withRules({ passwordExpiry: 30 });
    const options = { ignore_password_expiry: true };
    expect(await makeUser(service, admin, { options })).toMatchObject({
      password_expires_at: null,
    });
  });

  it('make a user change what an administrator gave it, before anything else', async () => {
    const service = await withRules({ passwordChangeOnFirstUse: true });
    const { id } = await makeUser(service, admin);
    expect((await logIn(service, id)).status).toBe(401);
    expect((await changeOwnPassword(service, id, PASSWORD, 'own')).status).toBe(204);
    expect((await logIn(service, id, 'own')).status).toBe(201);
    await changeUser(service, admin, id, { password: 'given' });
    expect((await logIn(service, id, 'given')).status).toBe(401);
  });

  it('spare a user from that whose option says so', async () => {
    const service = await withRules({ passwordChangeOnFirstUse: true });
    const options = { ignore_change_password_upon_first_use: true };
    const { id } = await makeUser(service, admin, { options });
    expect((await logIn(service, id)).status).toBe(201);
    const change = { password: 'given', options: { ignore_change_password_upon_first_use: null } };
    expect(resourceIn(await changeUser(service, admin, id, change), 'user')['options']).toEqual({});
    expect((await logIn(service, id, 'given')).status).toBe(401);
  });
});
