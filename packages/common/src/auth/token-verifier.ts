/**
 * Checks tokens without a network call: the signature against keys, the expiry, and the revocation
 * events that were read from identity and cached. Keys and events are refreshed in the background.
 *
 * Always holds: a token is good only when its signature verified under EdDSA with a published key,
 * and once the revocation events have been read; the cache only remembers that, by a hash, until the
 * token expires or any revocation arrives.
 */
import { createHash } from 'node:crypto';
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { UnauthenticatedError, UnavailableError } from '../errors/domain-error.js';
import { isRevoked, type RevocationEvent } from './revocation.js';
import type { TokenClaims } from './token-claims.js';

/** Where keys and revocations come from: identity's rows in identity, HTTP elsewhere. */
export interface TokenAuthority {
  keys(): Promise<JSONWebKeySet>;
  revocations(): Promise<readonly RevocationEvent[]>;
}

export const TOKEN_ISSUER = 'cumulet';

/** How long an unknown key id makes no further look-up of the keys, in milliseconds. */
const KEY_LOOKUP_PAUSE = 1_000;

export class TokenVerifier {
  readonly #cache = new LRUCache<string, TokenClaims>({ max: 10_000 });
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #keysReadAt = 0;
  #events: readonly RevocationEvent[] | undefined;
  #fingerprint = '';
  #refreshes = 0;
  #newestRefresh = 0;

  constructor(private readonly authority: TokenAuthority) {}

  /**
   * @throws UnauthenticatedError for a token that is malformed, foreign, expired or revoked
   * @throws whatever the authority throws while its keys or events could not be read yet
   */
  async verify(token: string): Promise<TokenClaims> {
    const key = createHash('sha256').update(token).digest('base64');
    const cached = this.#cache.get(key);
    if (cached) {
      if (cached.expiresAt > Date.now()) return cached;
      throw new UnauthenticatedError();
    }
    const claims = toClaims(await this.#payload(token));
    if (isRevoked(claims, this.#events ?? [])) throw new UnauthenticatedError();
    this.#cache.set(key, claims, { ttl: Math.max(1, claims.expiresAt - Date.now()) });
    return claims;
  }

  /** Reads the revocation events anew; a change empties the cache. Call it every few seconds. */
  async refresh(): Promise<void> {
    const refresh = ++this.#refreshes;
    if (!this.#keys) await this.#readKeys();
    const events = await this.authority.revocations();
    // What an earlier refresh read, and a slow network brings later, must not bring a token back.
    if (refresh < this.#newestRefresh) return;
    this.#newestRefresh = refresh;
    const fingerprint = JSON.stringify(events);
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    this.#events = events;
    this.#cache.clear();
  }

  async #payload(token: string): Promise<JWTPayload> {
    if (!this.#keys || !this.#events) await needed(this.refresh());
    try {
      return await this.#check(token);
    } catch (error) {
      const mayBeRotated =
        error instanceof errors.JWKSNoMatchingKey &&
        Date.now() - this.#keysReadAt > KEY_LOOKUP_PAUSE;
      if (!mayBeRotated) throw new UnauthenticatedError({ cause: error });
    }
    await needed(this.#readKeys());
    try {
      return await this.#check(token);
    } catch (error) {
      throw new UnauthenticatedError({ cause: error });
    }
  }

  async #check(token: string): Promise<JWTPayload> {
    if (!this.#keys) throw new UnavailableError('The keys of tokens have not been read yet.');
    const { payload } = await jwtVerify(token, this.#keys, {
      algorithms: ['EdDSA'],
      issuer: TOKEN_ISSUER,
    });
    return payload;
  }

  async #readKeys(): Promise<void> {
    this.#keysReadAt = Date.now();
    this.#keys = createLocalJWKSet(await this.authority.keys());
  }
}

/** Without keys and events nobody can be told yes or no, whatever the reason is. */
async function needed(read: Promise<void>): Promise<void> {
  await read.catch((cause: unknown) => {
    throw new UnavailableError('Tokens cannot be checked at present.', { cause });
  });
}

/** The JWT's claims, with short private names to keep tokens small: they travel in headers. */
export function toPayload(claims: TokenClaims): JWTPayload {
  return {
    iss: TOKEN_ISSUER,
    sub: claims.userId,
    iat: claims.issuedAt / 1000,
    exp: Math.floor(claims.expiresAt / 1000),
    ud: claims.userDomainId,
    pid: claims.projectId,
    did: claims.domainId,
    sc: claims.scope,
    rl: claims.roles,
    mt: claims.methods,
    aud_ids: claims.auditIds,
  };
}

function toClaims(payload: JWTPayload): TokenClaims {
  const { sub, iat, exp } = payload;
  if (sub === undefined || iat === undefined || exp === undefined) throw new UnauthenticatedError();
  return {
    userId: sub,
    userDomainId: payload['ud'] as string,
    projectId: payload['pid'] as string | undefined,
    domainId: payload['did'] as string | undefined,
    scope: payload['sc'] as TokenClaims['scope'],
    roles: payload['rl'] as string[],
    methods: payload['mt'] as string[],
    auditIds: payload['aud_ids'] as string[],
    issuedAt: Math.round(iat * 1000),
    expiresAt: exp * 1000,
  };
}
