import { beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JSONWebKeySet } from 'jose';
import { UnauthenticatedError } from '../errors/domain-error.js';
import type { RevocationEvent } from './revocation.js';
import type { TokenClaims } from '../context/token-claims.js';
import { toPayload } from './token-payload.js';
import { TokenVerifier, type TokenAuthority } from './token-verifier.js';

/** An authority whose answers a test holds back and releases. */
class Authority implements TokenAuthority {
  readonly keySet: JSONWebKeySet = { keys: [] };
  events: RevocationEvent[] = [];
  keyReads = 0;
  #private: CryptoKey | undefined;

  async addKey(kid: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA');
    this.keySet.keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' });
    this.#private = privateKey;
  }

  keys(): Promise<JSONWebKeySet> {
    this.keyReads += 1;
    return Promise.resolve(structuredClone(this.keySet));
  }

  revocations(): Promise<readonly RevocationEvent[]> {
    return Promise.resolve([...this.events]);
  }

  issue(changes: Partial<TokenClaims> = {}): Promise<string> {
    if (!this.#private) throw new Error('there is no key');
    const kid = this.keySet.keys.at(-1)?.kid ?? '';
    return new SignJWT(toPayload({ ...claims(), ...changes }))
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .sign(this.#private);
  }
}

function claims(): TokenClaims {
  return {
    userId: 'u',
    userDomainId: 'default',
    projectId: 'p',
    domainId: 'default',
    scope: 'project',
    roles: ['member'],
    methods: ['password'],
    auditIds: ['own', 'first'],
    issuedAt: Date.now() - 1_000,
    expiresAt: Math.floor(Date.now() / 1000) * 1000 + 60_000,
  };
}

let authority: Authority;
let verifier: TokenVerifier;

beforeEach(async () => {
  authority = new Authority();
  await authority.addKey('k1');
  verifier = new TokenVerifier(authority);
});

describe('TokenVerifier', () => {
  it('reads back what was signed', async () => {
    const all = claims();
    const unscoped = { ...all, projectId: undefined, domainId: undefined, scope: 'unscoped' };
    expect(await verifier.verify(await authority.issue(all))).toEqual(all);
    const token = await authority.issue(unscoped as TokenClaims);
    expect(await verifier.verify(token)).toEqual(unscoped);
  });

  it('refuses a token that has expired since it was cached', async () => {
    const token = await authority.issue();
    await verifier.verify(token);
    const now = Date.now;
    Date.now = () => now() + 61_000;
    try {
      await expect(verifier.verify(token)).rejects.toThrow(UnauthenticatedError);
    } finally {
      Date.now = now;
    }
  });

  it.each<[string, Partial<RevocationEvent>, boolean]>([
    ['its audit id', { auditId: 'own' }, true],
    ['another audit id', { auditId: 'first' }, false],
    ['its audit chain', { auditChainId: 'first' }, true],
    ['its user', { userId: 'u' }, true],
    ['its user on another project', { userId: 'u', projectId: 'q' }, false],
    ['its project', { projectId: 'p' }, true],
    ['its domain', { domainId: 'default' }, true],
  ])('matches revocations by %s', async (_, event, revoked) => {
    const token = await authority.issue();
    await verifier.verify(token);
    authority.events = [{ ...event, issuedBefore: Date.now() }];
    await verifier.refresh();
    const verified = verifier.verify(token).then(
      () => true,
      () => false,
    );
    expect(await verified).toBe(!revoked);
  });

  it('accepts a token issued after the revocation', async () => {
    authority.events = [{ userId: 'u', issuedBefore: Date.now() - 2_000 }];
    await expect(verifier.verify(await authority.issue())).resolves.toBeDefined();
  });

  it('looks up keys again for an unknown key ID, at most once a second', async () => {
    await verifier.verify(await authority.issue());
    await authority.addKey('k2');
    const token = await authority.issue();
    await expect(verifier.verify(token)).rejects.toThrow(UnauthenticatedError);
    expect(authority.keyReads).toBe(1);
    const now = Date.now;
    Date.now = () => now() + 1_100;
    try {
      await expect(verifier.verify(token)).resolves.toBeDefined();
    } finally {
      Date.now = now;
    }
    expect(authority.keyReads).toBe(2);
  });

  it('ignores a delayed answer to an earlier refresh', async () => {
    const token = await authority.issue();
    await verifier.refresh();
    let release = (_: readonly RevocationEvent[]): void => undefined;
    const immediate = authority.revocations.bind(authority);
    authority.revocations = () => new Promise((resolve) => (release = resolve));
    const early = verifier.refresh();
    await Promise.resolve();
    authority.revocations = immediate;
    authority.events = [{ auditId: 'own', issuedBefore: Date.now() }];
    await verifier.refresh();
    release([]);
    await early;
    await expect(verifier.verify(token)).rejects.toThrow(UnauthenticatedError);
  });
});
