/** Tokens signed with the test's own key, for services tested without identity. */
import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JSONWebKeySet } from 'jose';
import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { toPayload } from '@cumulet/common/auth/token-payload';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';

export class TestTokens implements TokenAuthority {
  readonly events: RevocationEvent[] = [];

  private constructor(
    private readonly privateKey: CryptoKey,
    private readonly keySet: JSONWebKeySet,
  ) {}

  static async create(): Promise<TestTokens> {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'EdDSA', use: 'sig' };
    return new TestTokens(privateKey, { keys: [jwk] });
  }

  keys(): Promise<JSONWebKeySet> {
    return Promise.resolve(this.keySet);
  }

  revocations(): Promise<readonly RevocationEvent[]> {
    return Promise.resolve([...this.events]);
  }

  /** A token of a project with these roles; `claims` replaces what a test is about. */
  async issue(roles: readonly string[], claims: Partial<TokenClaims> = {}): Promise<string> {
    const all: TokenClaims = {
      userId: newId(),
      userDomainId: 'default',
      projectId: newId(),
      domainId: 'default',
      scope: 'project',
      roles,
      methods: ['password'],
      auditIds: [randomBytes(16).toString('base64url')],
      issuedAt: Date.now(),
      expiresAt: Date.now() + 3_600_000,
      ...claims,
    };
    const kid = this.keySet.keys[0]?.kid ?? '';
    return new SignJWT(toPayload(all))
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .sign(this.privateKey);
  }
}

/** An id as identity generates them: 32 hexadecimal digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}
