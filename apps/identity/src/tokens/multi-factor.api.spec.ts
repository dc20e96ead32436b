import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  signedIn,
  startIdentity,
  tokenIn,
  tokenOf,
  type TestIdentity,
} from '../identity.fixture.js';
import { changeOwnPassword, changeUser, makeUser, PASSWORD } from '../users/user.fixture.js';

const RECEIPT = 'Openstack-Auth-Receipt';
const FAILURES = 3;
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const rules = [['password', 'totp']];

let identity: TestIdentity;
let admin: string;
let userId: string;

beforeAll(async () => {
  identity = await startIdentity({ lockoutFailures: FAILURES });
  admin = await tokenOf(identity.client);
});
afterAll(() => identity.stop());

beforeEach(async () => {
  const user = await makeUser(identity, admin, { options: { multi_factor_auth_rules: rules } });
  userId = user.id;
  await addSecret(secret);
});

async function addSecret(blob: string): Promise<void> {
  const credential = { user_id: userId, type: 'totp', blob };
  const { status } = await identity.client.post('/v3/credentials', {
    token: admin,
    body: { credential },
  });
  expect(status).toBe(201);
}

const password = {
  password: {
    user: {
      get id() {
        return userId;
      },
      password: PASSWORD,
    },
  },
};

function totp(passcode = passcodeOf(secret)): object {
  return { totp: { user: { id: userId, passcode } } };
}

function passcodeOf(base32: string, now = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp: now });
}

function logIn(proofs: object, receipt?: string): Promise<TestResponse> {
  return identity.client.post('/v3/auth/tokens', {
    body: { auth: { identity: { methods: Object.keys(proofs), ...proofs } } },
    ...(receipt === undefined ? {} : { headers: { [RECEIPT]: receipt } }),
  });
}

async function receiptFor(proofs: object): Promise<string> {
  const receipt = (await logIn(proofs)).headers.get(RECEIPT);
  if (receipt === null) throw new Error('no receipt');
  return receipt;
}

function expectRefused(response: TestResponse): void {
  expect(response.status).toBe(401);
  expect(response.headers.get(RECEIPT)).toBeNull();
  expect(response.body).toMatchObject({ error: { code: 401 } });
}

describe('a user with two factors', () => {
  it('gets a token for both at once', async () => {
    const response = await logIn({ ...password, ...totp() });
    expect(response.status).toBe(201);
    expect(tokenIn(response)['methods']).toEqual(['password', 'totp']);
  });

  it('gets a receipt for one, which says what is missing', async () => {
    const response = await logIn(password);
    expect(response.status).toBe(401);
    expect(response.headers.get('X-Subject-Token')).toBeNull();
    expect(response.body).toEqual({
      receipt: {
        methods: ['password'],
        user: { id: userId, name: expect.any(String), domain: { id: 'default', name: 'Default' } },
        issued_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
      },
      required_auth_methods: rules,
    });
    const { receipt } = response.body as { receipt: Record<string, string> };
    const lifetime =
      Date.parse(receipt['expires_at'] ?? '') - Date.parse(receipt['issued_at'] ?? '');
    expect(lifetime).toBe(300_000);
  });

  it('gets a token for the receipt and the other, in either order', async () => {
    const first = await logIn(totp(), await receiptFor(password));
    expect(first.status).toBe(201);
    expect(tokenIn(first)['methods']).toEqual(['totp', 'password']);
    expect((await logIn(password, await receiptFor(totp()))).status).toBe(201);
  });

  it('can exchange the token for others', async () => {
    const token = signedIn(await logIn({ ...password, ...totp() }));
    expect((await logIn({ token: { id: token } })).status).toBe(201);
  });

  it('can use a passcode again, as in Keystone', async () => {
    const passcode = passcodeOf(secret);
    const once = await logIn({ ...password, ...totp(passcode) });
    const again = await logIn({ ...password, ...totp(passcode) });
    expect([once.status, again.status]).toEqual([201, 201]);
  });

  it('can have several authenticators, with broken ones among them', async () => {
    await addSecret('not base32!');
    await addSecret('JBSWY3DPEHPK3PXP');
    expect((await logIn({ ...password, ...totp(passcodeOf('JBSWY3DPEHPK3PXP')) })).status).toBe(
      201,
    );
  });

  it('needs one while the rules are turned off', async () => {
    await changeUser(identity, admin, userId, { options: { multi_factor_auth_enabled: false } });
    expect((await logIn(password)).status).toBe(201);
    expect((await logIn(totp())).status).toBe(201);
  });

  it('gets neither a token nor a receipt for what is limited itself', async () => {
    const off = { options: { multi_factor_auth_enabled: false } };
    await changeUser(identity, admin, userId, off);
    const token = signedIn(await logIn(password));
    await changeUser(identity, admin, userId, { options: { multi_factor_auth_enabled: null } });
    expectRefused(await logIn({ token: { id: token } }));
  });
});

describe('a factor that is wrong', () => {
  const wrong = '0000000';

  it('is refused without a receipt', async () => {
    expectRefused(await logIn(totp(wrong)));
    expectRefused(await logIn({ ...password, ...totp(wrong) }));
    expectRefused(await logIn(totp(passcodeOf(secret, Date.now() - 120_000))));
  });

  it("is another user's secret", async () => {
    const other = await makeUser(identity, admin);
    expectRefused(await logIn({ totp: { user: { id: other.id, passcode: passcodeOf(secret) } } }));
    expectRefused(await logIn({ totp: { user: { id: 'nobody', passcode: passcodeOf(secret) } } }));
  });

  it('locks who guesses passcodes, though the password was right each time', async () => {
    for (let guess = 0; guess < FAILURES; guess += 1)
      expectRefused(await logIn({ ...password, ...totp(wrong) }));
    expectRefused(await logIn({ ...password, ...totp() }));
  });

  it('is the passcode of a disabled user', async () => {
    await changeUser(identity, admin, userId, { enabled: false });
    expectRefused(await logIn(totp()));
  });
});

describe('a receipt', () => {
  it('is good for its own user alone', async () => {
    const receipt = await receiptFor(password);
    await makeOther();
    expectRefused(await logIn(totp(), receipt));
  });

  it('ends with what revokes the tokens of its user', async () => {
    const receipt = await receiptFor(password);
    await changeOwnPassword(identity, userId, PASSWORD, 'another password');
    expectRefused(await logIn(totp(), receipt));
  });

  it('is neither a token nor any other text', async () => {
    const receipt = await receiptFor(password);
    expect((await identity.client.get('/v3/auth/projects', { token: receipt })).status).toBe(401);
    for (const text of [
      'x',
      receipt.slice(0, -4),
      signedIn(await logIn({ ...password, ...totp() })),
    ])
      expectRefused(await logIn(totp(), text));
  });

  it('is left alone where none is needed', async () => {
    const receipt = await receiptFor(password);
    expect((await logIn({ ...password, ...totp() }, receipt)).status).toBe(201);
  });

  async function makeOther(): Promise<void> {
    const user = await makeUser(identity, admin, { options: { multi_factor_auth_rules: rules } });
    userId = user.id;
    await addSecret(secret);
  }
});
