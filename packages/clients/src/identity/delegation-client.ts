/**
 * Lets a service go on working for a user after the request, by a trust. Public source: Keystone
 * API reference, "OS-TRUST API".
 *
 * Always holds: what is kept is a trust's id, which is good for nothing without the service's own
 * password; never a token of a request. A token of a trust stays in this process.
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
  /** By name; those of the caller's token unless given. */
  readonly roles?: readonly string[];
  /** How many times in a row the trust may be passed on; not at all unless given. */
  readonly redelegations?: 1 | 2 | 3;
}

const TRUSTS = '/v3/OS-TRUST/trusts';
/** Tokens of trusts that are remembered; of others, a new one is asked for. */
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
   * Makes a trust with the caller's own token: the service may act as the caller, on the project of
   * the token.
   * @returns the trust's id
   * @throws DelegationForbiddenError where the caller may make none
   * @throws UnauthenticatedError where the caller's token has expired meanwhile
   * @throws ServiceUnavailableError when identity is away
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
      const { body } = await this.#client.send({ method: 'POST', path: TRUSTS, json, token, ctx });
      return idOf(body);
    } catch (error) {
      throw refusalOfCaller(error);
    }
  }

  /**
   * A token by which the service acts as the one who made the trust, good for some minutes yet.
   * @throws DelegationEndedError where the trust is gone, gives nothing any more, or is of a user
   *   who is disabled
   * @throws ServiceUnavailableError when identity is away and no token is left
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

  /** Call it with a token that a service refused: the next one of the trust is new. */
  invalidate(trustId: string, value: string): void {
    this.#byTrust.get(trustId)?.invalidate(value);
  }

  /**
   * Ends a trust as the one who made it, who alone may. One that is gone is no error, nor is one that
   * lets nobody in: it is left, as good as ended while its user does not get back what it gave.
   * @throws ServiceUnavailableError when identity is away
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
   * A 401 is said of a trust that is gone, of one whose users are disabled, and of a wrong password
   * of the service, so the password is tried by itself.
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

/** The caller's own token asked, so what identity says of it is for the caller to read. */
function refusalOfCaller(error: unknown): unknown {
  if (!(error instanceof ServiceRefusedError)) return error;
  if (error.status === 401) return new UnauthenticatedError({ cause: error });
  return error.status === 403 ? new DelegationForbiddenError(error) : error;
}
