/**
 * Checks tokens without a network call: the signature, the expiry, and the cached revocation events
 * from identity. Keys and events are refreshed in the background.
 *
 * Always holds: a token is valid only if its EdDSA signature verifies with a published key and the
 * revocation events have been read. The cache remembers this by a hash until the token expires, a
 * revocation arrives or a key is withdrawn.
 */
import { hash } from 'node:crypto';
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { UnauthenticatedError, UnavailableError } from '../errors/domain-error.js';
import { RevocationIndex, type Revocable, type RevocationEvent } from './revocation.js';
import type { TokenClaims } from '../context/token-claims.js';
import { TOKEN_ISSUER, toClaims } from './token-payload.js';

/** The source of keys and revocations: its own rows in identity, HTTP elsewhere. */
export interface TokenAuthority {
  keys(): Promise<JSONWebKeySet>;
  revocations(): Promise<readonly RevocationEvent[]>;
}

/** An expired or revoked token; the caller only gets a 401. */
export class SpentTokenError extends UnauthenticatedError {
  // Envelopes show the name.
  override readonly name = UnauthenticatedError.name;
}

/** Milliseconds during which an unknown key ID triggers no further lookup. */
const KEY_LOOKUP_PAUSE = 1_000;

interface Knowledge {
  readonly keys: ReturnType<typeof createLocalJWKSet>;
  readonly events: RevocationIndex;
  readonly fingerprint: string;
}

export class TokenVerifier {
  readonly #cache = new LRUCache<string, TokenClaims>({ max: 10_000 });
  #known: Knowledge | undefined;
  #keysReadAt = 0;
  #refreshes = 0;
  #newestRefresh = 0;

  constructor(private readonly authority: TokenAuthority) {}

  /**
   * @throws UnauthenticatedError for a malformed or foreign token
   * @throws SpentTokenError for an expired or revoked one
   * @throws UnavailableError before keys and events have been read
   */
  async verify(token: string): Promise<TokenClaims> {
    const key = hash('sha256', token, 'base64');
    const cached = this.#cache.get(key);
    if (cached) {
      if (cached.expiresAt > Date.now()) return cached;
      throw new SpentTokenError();
    }
    const claims = await this.#examine(token, 0);
    this.#cache.set(key, claims, { ttl: Math.max(1, claims.expiresAt - Date.now()) });
    return claims;
  }

  /**
   * Like `verify`, but accepts a token for some time after its expiry (Keystone, `allow_expired`).
   * @param windowMs maximum milliseconds since its expiry
   */
  verifyExpired(token: string, windowMs: number): Promise<TokenClaims> {
    return this.#examine(token, windowMs);
  }

  /**
   * Whether something that is not a token has been revoked since it was granted.
   * @throws UnavailableError while the events have not been read yet
   */
  async isRevoked(granted: Revocable): Promise<boolean> {
    return (await this.#knowledge()).events.isRevoked(granted);
  }

  /** Rereads keys and revocations, and then clears the cache. Call this every few seconds. */
  async refresh(): Promise<void> {
    const refresh = ++this.#refreshes;
    this.#keysReadAt = Date.now();
    const [keys, events] = await Promise.all([this.authority.keys(), this.authority.revocations()]);
    // A delayed answer to an earlier refresh must not revalidate tokens.
    if (refresh < this.#newestRefresh) return;
    this.#newestRefresh = refresh;
    const fingerprint = JSON.stringify([keys, events]);
    if (fingerprint === this.#known?.fingerprint) return;
    this.#known = {
      keys: createLocalJWKSet(keys),
      events: new RevocationIndex(events),
      fingerprint,
    };
    this.#cache.clear();
  }

  async #examine(token: string, expiredForMs: number): Promise<TokenClaims> {
    const claims = toClaims(await this.#payload(token, expiredForMs));
    if ((await this.#knowledge()).events.isRevoked(claims)) throw new SpentTokenError();
    return claims;
  }

  async #payload(token: string, expiredForMs: number): Promise<JWTPayload> {
    try {
      return await this.#check(token, expiredForMs);
    } catch (error) {
      const mayBeRotated =
        error instanceof errors.JWKSNoMatchingKey &&
        Date.now() - this.#keysReadAt > KEY_LOOKUP_PAUSE;
      if (!mayBeRotated) throw refusal(error);
    }
    await needed(this.refresh());
    return this.#check(token, expiredForMs).catch((error: unknown) => {
      throw refusal(error);
    });
  }

  async #check(token: string, expiredForMs: number): Promise<JWTPayload> {
    if (!isCanonical(token)) throw new UnauthenticatedError();
    const { keys } = await this.#knowledge();
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['EdDSA'],
      issuer: TOKEN_ISSUER,
      clockTolerance: expiredForMs / 1000,
    });
    return payload;
  }

  async #knowledge(): Promise<Knowledge> {
    if (!this.#known) await needed(this.refresh());
    if (!this.#known)
      throw new UnavailableError('The keys that sign tokens have not been read yet.');
    return this.#known;
  }
}

/**
 * Whether the signature has its only valid spelling: base64 ignores the last bits of the last
 * character, so several strings would be the same token.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** A rejected token is a plain 401; an outage of identity stays a 503. */
function refusal(error: unknown): Error {
  if (error instanceof UnavailableError || error instanceof UnauthenticatedError) return error;
  if (error instanceof errors.JWTExpired) return new SpentTokenError({ cause: error });
  return new UnauthenticatedError({ cause: error });
}

/** Without keys and events, no token can be verified. */
async function needed(read: Promise<void>): Promise<void> {
  await read.catch((cause: unknown) => {
    throw new UnavailableError('Tokens cannot be checked at present.', { cause });
  });
}
