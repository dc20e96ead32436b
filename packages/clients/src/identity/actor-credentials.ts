/** Tokens of the actors of a service: its caller, itself, and users who gave it a trust. */
import { LRUCache } from 'lru-cache';
import type { Actor } from '../http/actor.js';
import type { Credentials, ShownTokens } from '../http/credentials.js';
import type { ServiceTokenSource } from './service-token-source.js';
import { RenewedToken } from './renewed-token.js';
import { ServiceRefusedError } from '../http/service-client-errors.js';
import { DelegationEndedError } from './delegation.errors.js';

export class ActorCredentials implements Credentials {
  readonly trusts: TrustTokens;
  readonly #byDomain = new Map<string, RenewedToken>();

  constructor(
    private readonly tokens: Pick<ServiceTokenSource, 'token' | 'invalidate' | 'issue' | 'renew'>,
  ) {
    this.trusts = new TrustTokens(tokens);
  }

  async of(actor: Actor): Promise<ShownTokens> {
    switch (actor.as) {
      case 'caller': {
        const { token, isRuled } = actor;
        // Access rules limit clients, not the services that serve them.
        return { token, serviceToken: isRuled ? await this.tokens.token() : undefined };
      }
      case 'service':
        return { token: await this.#own(actor.domainId) };
      case 'trustor':
        return { token: await this.trusts.token(actor.trustId) };
    }
  }

  invalidate(actor: Actor, { token, serviceToken }: ShownTokens): void {
    if (actor.as === 'service') {
      const { domainId } = actor;
      (domainId === undefined ? this.tokens : this.#ofDomain(domainId)).invalidate(token);
    }
    if (actor.as === 'trustor') this.trusts.invalidate(actor.trustId, token);
    if (serviceToken !== undefined) this.tokens.invalidate(serviceToken);
  }

  async #own(domainId: string | undefined): Promise<string> {
    if (domainId === undefined) return this.tokens.token();
    return (await this.#ofDomain(domainId).get()).value;
  }

  #ofDomain(id: string): RenewedToken {
    const known = this.#byDomain.get(id);
    if (known) return known;
    const token = new RenewedToken(() => this.tokens.issue({ domain: { id } }));
    this.#byDomain.set(id, token);
    return token;
  }
}

/** Tokens of trusts that are cached; for others, a new one is requested. */
const REMEMBERED = 1_000;

export class TrustTokens {
  readonly #byTrust = new LRUCache<string, RenewedToken>({ max: REMEMBERED });

  constructor(private readonly tokens: Pick<ServiceTokenSource, 'issue' | 'renew'>) {}

  /**
   * A token by which the service acts as the trustor, valid for some more minutes.
   * @throws DelegationEndedError if the trust was deleted or gives no role, or its user is disabled
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

  /** Replaces a refused token. */
  invalidate(trustId: string, value: string): void {
    this.#byTrust.get(trustId)?.invalidate(value);
  }

  forget(trustId: string): void {
    this.#byTrust.delete(trustId);
  }

  #tokenOf(trustId: string): RenewedToken {
    const known = this.#byTrust.get(trustId);
    if (known) return known;
    const scope = { 'OS-TRUST:trust': { id: trustId } };
    const token = new RenewedToken(() => this.tokens.issue(scope));
    this.#byTrust.set(trustId, token);
    return token;
  }

  /**
   * A 401 may mean that the trust is gone, that its users are disabled, or that the service's
   * password is wrong, so the password is tried separately.
   */
  async #hasEnded(error: unknown): Promise<boolean> {
    if (!(error instanceof ServiceRefusedError)) return false;
    if (error.status === 401) await this.tokens.renew();
    return [401, 403, 404].includes(error.status);
  }
}
