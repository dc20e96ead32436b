import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import { UnauthenticatedError, UnavailableError } from '../errors/domain-error.js';
import type { RevocationEvent } from './revocation.js';
import type { TokenClaims } from '../context/token-claims.js';
import { toPayload } from './token-payload.js';
import { TokenVerifier } from './token-verifier.js';

const KID = 'k1';

let privateKey: CryptoKey;
let publicKey: CryptoKey;

beforeAll(async () => {
  ({ privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true }));
});

function payload(changes: object = {}): JWTPayload {
  const claims: TokenClaims = {
    userId: 'u',
    userDomainId: 'default',
    projectId: 'p',
    domainId: 'default',
    scope: 'project',
    roles: ['admin'],
    methods: ['password'],
    auditIds: ['own'],
    issuedAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  };
  return { ...toPayload(claims), ...changes };
}

const signed = (content: JWTPayload, key = privateKey): Promise<string> =>
  new SignJWT(content).setProtectedHeader({ alg: 'EdDSA', kid: KID }).sign(key);

async function verifier(
  revocations = (): Promise<readonly RevocationEvent[]> => Promise.resolve([]),
): Promise<TokenVerifier> {
  const jwk = { ...(await exportJWK(publicKey)), kid: KID, alg: 'EdDSA' };
  return new TokenVerifier({ keys: () => Promise.resolve({ keys: [jwk] }), revocations });
}

describe('a token is refused', () => {
  it.each<[string, () => Promise<string>]>([
    ['that is no token', () => Promise.resolve('gAAAAABnotajwt')],
    ['that nobody signed (alg none)', () => Promise.resolve(new UnsecuredJWT(payload()).encode())],
    [
      'that another key signed under the same key id',
      async () => signed(payload(), (await generateKeyPair('EdDSA')).privateKey),
    ],
    [
      'that the public key signed as a shared secret',
      async () =>
        new SignJWT(payload())
          .setProtectedHeader({ alg: 'HS256', kid: KID })
          .sign(new TextEncoder().encode(await exportSPKI(publicKey))),
    ],
    ['of another issuer', () => signed(payload({ iss: 'somebody else' }))],
    ['without an issuer', () => signed(payload({ iss: undefined }))],
    ['that has expired', () => signed(payload({ exp: Math.floor(Date.now() / 1000) - 1 }))],
    ['that never expires', () => signed(payload({ exp: undefined }))],
    ['without a user', () => signed(payload({ sub: undefined }))],
    [
      'that was changed since',
      async () => {
        const [head, , tail] = (await signed(payload())).split('.');
        const body = Buffer.from(JSON.stringify(payload({ sub: 'root' }))).toString('base64url');
        return [head, body, tail].join('.');
      },
    ],
    [
      'whose last bit is another, which its signature does not have',
      async () => {
        const token = await signed(payload());
        const next = String.fromCharCode(token.charCodeAt(token.length - 1) + 1);
        return token.slice(0, -1) + next;
      },
    ],
  ])('%s', async (_, token) => {
    await expect((await verifier()).verify(await token())).rejects.toThrow(UnauthenticatedError);
  });

  it('while revocations have never been read, whatever its signature', async () => {
    const away = await verifier(() => Promise.reject(new UnavailableError('identity is away')));
    const token = await signed(payload());
    await expect(away.verify(token)).rejects.toThrow(UnavailableError);
    await expect(away.verify(token)).rejects.toThrow(UnavailableError);
  });
});

it('a refusal never reveals the reason', async () => {
  const expired = await signed(payload({ exp: 1 }));
  await expect((await verifier()).verify(expired)).rejects.toThrow(
    'The request you have made requires authentication.',
  );
});
