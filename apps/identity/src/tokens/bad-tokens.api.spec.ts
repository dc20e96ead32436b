/** Tokens that must be refused: as X-Auth-Token, as X-Subject-Token, and as a proof. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { TOKEN_ISSUER } from '@cumulet/common/auth/token-payload';
import { TestTokens } from '@cumulet/testing/test-tokens';
import { startIdentity, tokenOf, type TestIdentity } from '../identity.fixture.js';
import { Keyring } from '../signing-keys/keyring.js';

let identity: TestIdentity;
let good: string;
let bad: Record<string, string>;

beforeAll(async () => {
  identity = await startIdentity();
  good = await tokenOf(identity.client);
  bad = await badTokens();
});
afterAll(() => identity.stop());

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

async function badTokens(): Promise<Record<string, string>> {
  const [header = '', payload = '', signature = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const keyring = identity.app.nest.get(Keyring);
  const { privateKey } = await generateKeyPair('EdDSA');
  const revoked = await tokenOf(identity.client);
  await identity.client.delete('/v3/auth/tokens', {
    token: good,
    headers: { 'X-Subject-Token': revoked },
  });
  return {
    empty: '',
    nonsense: 'gAAAAABh',
    truncated: good.slice(0, -10),
    'without a signature': `${header}.${payload}.`,
    'alg none': `${encode({ alg: 'none' })}.${payload}.`,
    'alg HS256 with the public key': `${encode({ alg: 'HS256', kid })}.${payload}.${signature}`,
    'of more roles': `${header}.${encode({ ...claims, rl: ['admin', 'service'] })}.${signature}`,
    'of a foreign key': await (await TestTokens.create()).issue(['admin']),
    'of a foreign key under our kid': await new SignJWT({ ...claims, iss: TOKEN_ISSUER })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .sign(privateKey),
    expired: await keyring.sign({
      userId: claims['sub'] as string,
      userDomainId: 'default',
      projectId: claims['pid'] as string,
      domainId: 'default',
      scope: 'project',
      roles: ['admin'],
      methods: ['password'],
      auditIds: ['x'],
      issuedAt: Date.now() - 7_200_000,
      expiresAt: Date.now() - 3_600_000,
    }),
    revoked,
  };
}

const KINDS = [
  'empty',
  'nonsense',
  'truncated',
  'without a signature',
  'alg none',
  'alg HS256 with the public key',
  'of more roles',
  'of a foreign key',
  'of a foreign key under our kid',
  'expired',
  'revoked',
];

it('tries every kind of bad token', () => {
  expect(Object.keys(bad)).toEqual(KINDS);
});

describe.each(KINDS)('a token that is %s', (kind) => {
  const token = (): string => bad[kind] ?? '';

  it('is a 401 as the token of a request', async () => {
    const response = await identity.client.get('/v3/auth/projects', { token: token() });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ error: { code: 401, title: 'Unauthorized' } });
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Keystone uri="http.*\/v3"$/);
  });

  it('is a 404 as the subject of a request, without being repeated', async () => {
    const response = await identity.client.get('/v3/auth/tokens', {
      token: good,
      headers: { 'X-Subject-Token': token() },
    });
    expect(response.status).toBe(404);
    if (token() !== '') expect(response.text).not.toContain(token());
  });

  it('proves nothing where another token is asked for', async () => {
    const response = await identity.client.post('/v3/auth/tokens', {
      body: { auth: { identity: { methods: ['token'], token: { id: token() } } } },
    });
    // As in Keystone, a token that was valid once is a 404.
    const expected: Record<string, number> = { empty: 400, expired: 404, revoked: 404 };
    expect(response.status).toBe(expected[kind] ?? 401);
  });
});
