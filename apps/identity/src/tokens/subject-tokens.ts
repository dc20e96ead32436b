import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RevocationIndex } from '@cumulet/common/auth/revocation';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { CoalescedReads } from '@cumulet/common/database/coalesced-reads';
import { preparedRows } from '@cumulet/common/database/rows';
import { DomainError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { applicationCredentials } from '../application-credentials/application-credential.repository.js';
import type { IdentityConfig } from '../config.js';
import { revocationEvent, revocationEvents } from '../revocations/revocation.repository.js';
import { type Scope, scopes } from '../roles/scope.repository.js';
import { users } from '../users/user.repository.js';
import { tokenBody } from './tokens.service.js';
import type { TokenQuery } from './token.dto.js';
import type { Token, TokenDelegation } from './token.js';
import type { TokenBody } from './token.view.js';

/**
 * A cache of reads, valid until anything is committed to the database. Each reader first asks Postgres
 * for its snapshot; concurrent readers ask together.
 *
 * Always holds: results are as fresh as without the cache, whichever process changes the rows. Equal
 * snapshots see the same transactions, within the life of one server.
 */
export class SnapshotCache<T extends object> {
  readonly #results: LRUCache<string, T>;
  readonly #looks = new CoalescedReads<string>();
  #snapshot = '';

  /** @param max how many results are cached */
  constructor(max: number) {
    this.#results = new LRUCache({ max });
  }

  /**
   * Must not be called within a transaction, which sees its own changes.
   * @param load must depend on nothing but the rows and the key
   * @returns a shared result, which must not be changed
   */
  async read(ctx: RequestContext, key: string, load: () => Promise<T>): Promise<T> {
    const snapshot = await this.#looks.read('', () => snapshotOf(ctx));
    if (snapshot !== this.#snapshot) {
      this.#results.clear();
      this.#snapshot = snapshot;
    }
    const cached = this.#results.get(key);
    if (cached) return cached;
    const loaded = await load();
    // A read during a commit may miss it.
    if (snapshot === this.#snapshot) this.#results.set(key, loaded);
    return loaded;
  }
}

/** Also names the server: snapshots of different servers can be equal. */
async function snapshotOf({ manager }: RequestContext): Promise<string> {
  const [row] = await preparedRows<{ snapshot: string }>(
    manager,
    `SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()) AS snapshot`,
  );
  return row?.snapshot ?? '';
}

/** A subject token that is absent, malformed, expired or revoked; the error never says which. */
class TokenNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super('not-found', 'Could not find token: X-Subject-Token is not a valid token.', {
      cause,
    });
  }
}

/** Answers have some kilobytes each. */
const MAX_DESCRIBED = 1_000;

@Injectable()
export class SubjectTokens {
  readonly #described = new SnapshotCache<TokenBody>(MAX_DESCRIBED);

  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly verifier: TokenVerifier,
  ) {}

  /**
   * @param allowExpired accepts a token for some time after its expiry, for services that finish work
   * @throws TokenNotFoundError
   */
  async read(
    ctx: RequestContext,
    signed: string | undefined,
    { allowExpired = false } = {},
  ): Promise<TokenClaims> {
    if (signed === undefined || signed === '') throw new TokenNotFoundError();
    try {
      return await (allowExpired ? this.#readExpired(ctx, signed) : this.verifier.verify(signed));
    } catch (error) {
      throw error instanceof UnauthenticatedError ? new TokenNotFoundError(error) : error;
    }
  }

  /**
   * The body of a valid token, with current names and the roles that its user still has. Services ask
   * about the same tokens again and again, so answers are cached.
   * @throws TokenNotFoundError if its user or scope is deleted or disabled
   */
  describe(ctx: RequestContext, claims: TokenClaims, query: TokenQuery): Promise<TokenBody> {
    const key = [claims.auditIds[0], query.nocatalog === undefined, ctx.baseUrl].join(' ');
    return this.#described.read(ctx, key, async () =>
      tokenBody(ctx, await this.#token(ctx, claims), query),
    );
  }

  async #token(ctx: RequestContext, claims: TokenClaims): Promise<Token> {
    const { userId, methods, auditIds, issuedAt, expiresAt } = claims;
    const user = await users.findAccount(ctx, { id: userId });
    const scope = await this.#scope(ctx, claims);
    if (!user?.enabled || !scope) throw new TokenNotFoundError();
    const delegation = await this.#delegation(ctx, claims);
    return { user, scope, delegation, methods, auditIds, issuedAt, expiresAt };
  }

  /** Only the rows have the events about expired tokens. */
  async #readExpired(ctx: RequestContext, signed: string): Promise<TokenClaims> {
    const claims = await this.verifier.verifyExpired(signed, this.config.expiredTokenWindow * 1000);
    const events = await revocationEvents.listAll(ctx);
    if (new RevocationIndex(events.map(revocationEvent)).isRevoked(claims))
      throw new TokenNotFoundError();
    return claims;
  }

  async #scope(ctx: RequestContext, claims: TokenClaims): Promise<Scope | undefined> {
    const { scope: kind, projectId = '', domainId = '', delegation, userId } = claims;
    // Trusts give roles on projects only.
    const grantor = delegation?.kind === 'trust' ? delegation.trustorId : userId;
    const scope =
      kind === 'project'
        ? await scopes.project(ctx, grantor, { id: projectId })
        : await scopes.find(ctx, userId, { kind, domain: { id: domainId } });
    if (!scope || scope.kind === 'unscoped') return scope;
    const roles = scope.roles.filter(({ name }) => claims.roles.includes(name));
    return roles.length === 0 ? undefined : { ...scope, roles };
  }

  async #delegation(
    ctx: RequestContext,
    { userId, delegation }: TokenClaims,
  ): Promise<TokenDelegation | undefined> {
    if (delegation === undefined) return undefined;
    if (delegation.kind === 'trust')
      return { ...delegation, impersonation: userId === delegation.trustorId };
    const credential = await applicationCredentials.findForLogin(ctx, { id: delegation.id });
    if (!credential) throw new TokenNotFoundError();
    return { ...delegation, name: credential.name };
  }
}
