/**
 * Trusts by which a service goes on working for a user after the request. Public source: Keystone
 * API reference, "OS-TRUST API".
 *
 * Always holds: only a trust's id is stored, which is useless without the service's own password;
 * never a request's token.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import type { GivenTrust } from '@cumulet/common/trusts/trust-ports';
import { asCaller, asService, throughTrust, type Actor, type Origin } from '../http/actor.js';
import { ServiceClient } from '../http/service-client.js';
import { ServiceRefusedError, ServiceUnavailableError } from '../http/service-client-errors.js';
import type { ActorCredentials } from './actor-credentials.js';
import { DelegationEndedError, DelegationForbiddenError } from './delegation.errors.js';
import type { ServiceTokenSource } from './service-token-source.js';

export interface DelegationClientOptions {
  /** Without /v3. */
  readonly identityUrl: string;
  readonly tokens: Pick<ServiceTokenSource, 'userId'>;
  readonly credentials: ActorCredentials;
}

export interface DelegationOptions {
  /** By name; by default, all of the caller, or of the trust by which it acts. */
  readonly roles?: readonly string[];
  /** Whether it may be redelegated, as often as identity allows. */
  readonly mayRedelegate?: boolean;
  /** By default never. A redelegated trust expires with the original. */
  readonly expiresAt?: Date;
}

/** The recipient of a redelegated trust. */
export interface Redelegation {
  /** One of the service's trustees; see `TrusteesClient`. */
  readonly trusteeId: string;
  /** By name; by default, all of the trust. */
  readonly roles?: readonly string[];
}

const TRUSTS = '/v3/OS-TRUST/trusts';

export class DelegationClient {
  readonly #client: ServiceClient;

  constructor(private readonly options: DelegationClientOptions) {
    const { identityUrl: baseUrl, credentials } = options;
    this.#client = new ServiceClient({ service: 'identity', baseUrl, credentials, connections: 4 });
  }

  /**
   * Creates a trust with the caller's own token: the service may act as the caller, in the token's
   * project. A caller that acts through a trust redelegates it.
   * @returns the trust's id
   * @throws DelegationForbiddenError if the caller may not create or redelegate one
   * @throws UnauthenticatedError if the caller's token has expired
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async create(
    ctx: RequestContext,
    { roles, mayRedelegate = false, expiresAt }: DelegationOptions = {},
  ): Promise<string> {
    const actor = asCaller(ctx);
    const names = roles ?? (await this.#rolesOf(ctx, actor));
    const trust = {
      trustor_user_id: ctx.userId,
      trustee_user_id: await this.options.tokens.userId(),
      project_id: ctx.projectId,
      impersonation: true,
      roles: names.map((name) => ({ name })),
      // Without a redelegation_count, which could only be wrong: it must be what is left.
      ...(mayRedelegate ? { allow_redelegation: true } : {}),
      ...(expiresAt && !isByTrust(ctx) ? { expires_at: expiresAt.toISOString() } : {}),
    };
    try {
      const { body } = await this.#client.create({ actor, path: TRUSTS, json: { trust } });
      return trustOf(body, 'id').id;
    } catch (error) {
      throw refusalOfCaller(error);
    }
  }

  /**
   * Redelegates a trust to a user for what the service runs for the trustor, such as a cluster. It ends
   * with that trust.
   * @param trustId of a trust with `mayRedelegate`
   * @param idempotencyKey follows from the row that needs it, as in `CreateRequest`
   * @returns the id of the new trust
   * @throws DelegationEndedError if the trust has ended
   * @throws DelegationForbiddenError if it may not be redelegated, or does not give these roles
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async redelegate(
    origin: Origin,
    trustId: string,
    { trusteeId, roles }: Redelegation,
    idempotencyKey: string,
  ): Promise<string> {
    const actor = throughTrust(origin, trustId);
    const given = await this.#trust(actor, trustId);
    const names = roles ?? given.roles.map(({ name }) => name);
    const trust = {
      trustor_user_id: given.trustor_user_id,
      trustee_user_id: trusteeId,
      project_id: given.project_id,
      impersonation: true,
      roles: names.map((name) => ({ name })),
    };
    try {
      const json = { trust };
      const { body } = await this.#client.create({ actor, path: TRUSTS, json, idempotencyKey });
      return trustOf(body, 'id').id;
    } catch (error) {
      const isForbidden = error instanceof ServiceRefusedError && error.status === 403;
      throw isForbidden ? new DelegationForbiddenError(error) : error;
    }
  }

  /**
   * Deletes a trust as its trustor, who alone may. An absent trust is not an error. One that gives no
   * token is left: it is useless unless its user regains the roles.
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async revoke(trustId: string): Promise<void> {
    const path = `${TRUSTS}/${encodeURIComponent(trustId)}`;
    const actor = throughTrust(undefined, trustId);
    try {
      await this.#client.find({ actor, method: 'DELETE', path });
    } catch (error) {
      if (!(error instanceof DelegationEndedError)) throw error;
    }
    this.options.credentials.trusts.forget(trustId);
  }

  /**
   * All trusts that users have given to the service.
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async list(): Promise<readonly GivenTrust[]> {
    const query = { trustee_user_id: await this.options.tokens.userId() };
    const { body } = await this.#client.send({ actor: asService(), path: TRUSTS, query });
    const { trusts } = body as { readonly trusts: readonly ListedTrust[] };
    return trusts.map(({ id, expires_at: expiry }) => ({
      id,
      expiresAt: expiry === null ? null : new Date(expiry),
    }));
  }

  /**
   * Whether the service can act by a trust. Asks identity, since a token of a deleted trust may be cached.
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async isValid(trustId: string): Promise<boolean> {
    const { trusts } = this.options.credentials;
    trusts.forget(trustId);
    try {
      await trusts.token(trustId);
      return true;
    } catch (error) {
      if (error instanceof DelegationEndedError) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** A trust's token also has what its roles imply, which cannot be redelegated on their own. */
  async #rolesOf({ roles, fields }: RequestContext, actor: Actor): Promise<readonly string[]> {
    if (fields.delegation?.kind !== 'trust') return roles;
    const { roles: given } = await this.#trust(actor, fields.delegation.id).catch(
      (error: unknown) => {
        throw refusalOfCaller(error);
      },
    );
    return given.map(({ name }) => name);
  }

  async #trust(actor: Actor, id: string): Promise<WireTrust> {
    const path = `${TRUSTS}/${encodeURIComponent(id)}`;
    const { body } = await this.#client.send({ actor, path });
    return trustOf(body, 'roles');
  }
}

interface WireTrust {
  readonly id: string;
  readonly trustor_user_id: string;
  readonly project_id: string;
  readonly roles: readonly { readonly name: string }[];
}

interface ListedTrust {
  readonly id: string;
  readonly expires_at: string | null;
}

function isByTrust({ fields }: RequestContext): boolean {
  return fields.delegation?.kind === 'trust';
}

function trustOf(body: unknown, needed: keyof WireTrust): WireTrust {
  const { trust } = (body ?? {}) as { trust?: WireTrust };
  if (trust?.[needed] !== undefined) return trust;
  throw new ServiceUnavailableError('identity', `a trust without its ${needed}`);
}

/** The caller's own token was used, so it may read identity's answer. */
function refusalOfCaller(error: unknown): unknown {
  if (!(error instanceof ServiceRefusedError)) return error;
  if (error.status === 401) return new UnauthenticatedError({ cause: error });
  return error.status === 403 ? new DelegationForbiddenError(error) : error;
}
