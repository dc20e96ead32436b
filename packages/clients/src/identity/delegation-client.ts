/**
 * Lets a service keep working for a user after the request, through a trust. Public source:
 * Keystone API reference, "OS-TRUST API".
 *
 * Always holds: only a trust's id is stored, which is useless without the service's own password;
 * never a request's token. A trust's token stays in this process.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { LRUCache } from 'lru-cache';
import { ServiceClient } from '../http/service-client.js';
import { ServiceRefusedError, ServiceUnavailableError } from '../http/service-client-errors.js';
import { DelegationEndedError, DelegationForbiddenError } from './delegation.errors.js';
import { RenewedToken } from './renewed-token.js';
import type { ServiceTokenSource } from './service-token-source.js';
import { withToken } from './with-token.js';

export interface DelegationClientOptions {
  /** Identity's address, without /v3. */
  readonly identityUrl: string;
  /** The service that acts, with its own password. */
  readonly tokens: Pick<ServiceTokenSource, 'userId' | 'issue' | 'renew'>;
}

export interface DelegationOptions {
  /** By name; by default those of the caller's token. */
  readonly roles?: readonly string[];
  /** How many times the trust may be redelegated; never by default. */
  readonly redelegations?: 1 | 2 | 3;
}

const TRUSTS = '/v3/OS-TRUST/trusts';
/** Tokens of trusts that are cached; for others, a new one is requested. */
const REMEMBERED = 1_000;

export class DelegationClient {
  readonly #client: ServiceClient;
  readonly #tokens: DelegationClientOptions['tokens'];
  readonly #byTrust = new LRUCache<string, RenewedToken>({ max: REMEMBERED });

  constructor({ identityUrl, tokens }: DelegationClientOptions) {
    this.#client = new ServiceClient({ service: 'identity', baseUrl: identityUrl, connections: 4 });
    this.#tokens = tokens;
  }

  /**
   * Creates a trust with the caller's own token: the service may act as the caller, in the token's
   * project.
   * @returns the trust's id
   * @throws DelegationForbiddenError if the caller may not create one
   * @throws UnauthenticatedError if the caller's token has expired meanwhile
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async create(
    ctx: RequestContext,
    { roles = ctx.roles, redelegations }: DelegationOptions = {},
  ): Promise<string> {
    const trust = {
      trustor_user_id: ctx.userId,
      trustee_user_id: await this.#tokens.userId(),
      project_id: ctx.projectId,
      impersonation: true,
      roles: roles.map((name) => ({ name })),
      ...(redelegations === undefined
        ? {}
        : { allow_redelegation: true, redelegation_count: redelegations }),
    };
    const token = tokenOf(ctx);
    const json = { trust };
    try {
      const { body } = await this.#client.create({ path: TRUSTS, json, token, ctx });
      return idOf(body);
    } catch (error) {
      throw refusalOfCaller(error);
    }
  }

  /**
   * A token by which the service acts as the trustor, valid for some more minutes.
   * @throws DelegationEndedError if the trust is gone or void, or its user is disabled
   * @throws ServiceUnavailableError when identity is unreachable and no token is left
   * @throws ServiceRefusedError when identity refuses the service's password
   */
  async token(trustId: string): Promise<string> {
    try {
      return (await this.#tokenOf(trustId).get()).value;
    } catch (error) {
      if (await this.#hasEnded(error)) throw new DelegationEndedError(trustId, error);
      throw error;
    }
  }

  /** Call it with a token that a service refused: the trust's next one is new. */
  invalidate(trustId: string, value: string): void {
    this.#byTrust.get(trustId)?.invalidate(value);
  }

  /**
   * Ends a trust as its trustor, who alone may. A trust that is gone is no error, nor is one that
   * gives no token: it is left, useless unless its user regains what it delegated.
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async revoke(trustId: string): Promise<void> {
    const tokens = {
      token: () => this.token(trustId),
      invalidate: (value: string) => this.invalidate(trustId, value),
    };
    const path = `${TRUSTS}/${encodeURIComponent(trustId)}`;
    try {
      await withToken(tokens, (token) => this.#client.find({ method: 'DELETE', path, token }));
    } catch (error) {
      if (!(error instanceof DelegationEndedError)) throw error;
    }
    this.#byTrust.delete(trustId);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #tokenOf(trustId: string): RenewedToken {
    const known = this.#byTrust.get(trustId);
    if (known) return known;
    const scope = { 'OS-TRUST:trust': { id: trustId } };
    const token = new RenewedToken(() => this.#tokens.issue(scope));
    this.#byTrust.set(trustId, token);
    return token;
  }

  /**
   * A 401 may mean that the trust is gone, that its users are disabled, or that the service's
   * password is wrong, so the password is tried separately.
   */
  async #hasEnded(error: unknown): Promise<boolean> {
    if (!(error instanceof ServiceRefusedError)) return false;
    if (error.status === 401) await this.#tokens.renew();
    return [401, 403, 404].includes(error.status);
  }
}

function tokenOf({ fields: { token } }: RequestContext): string {
  if (token === undefined) throw new Error('a trust is made within a request, by its own token');
  return token;
}

function idOf(body: unknown): string {
  const { trust } = (body ?? {}) as { trust?: { id?: unknown } };
  if (typeof trust?.id === 'string') return trust.id;
  throw new ServiceUnavailableError('identity', 'a trust without an id');
}

/** The caller's own token asked, so the caller may read identity's answer. */
function refusalOfCaller(error: unknown): unknown {
  if (!(error instanceof ServiceRefusedError)) return error;
  if (error.status === 401) return new UnauthenticatedError({ cause: error });
  return error.status === 403 ? new DelegationForbiddenError(error) : error;
}
