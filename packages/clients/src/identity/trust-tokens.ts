/**
 * Tokens by which a service acts through trusts. Public source: Keystone API reference,
 * "Authentication and token management", scope `OS-TRUST:trust`.
 *
 * Always holds: a token stays in this process; a trust's id is of no use without the service's own
 * password.
 */
import { LRUCache } from 'lru-cache';
import { ServiceRefusedError } from '../http/service-client-errors.js';
import { DelegationEndedError } from './delegation.errors.js';
import { RenewedToken } from './renewed-token.js';
import type { ServiceTokenSource } from './service-token-source.js';

/** Tokens of trusts that are cached; for others, a new one is requested. */
const REMEMBERED = 1_000;

export class TrustTokens {
  readonly #byTrust = new LRUCache<string, RenewedToken>({ max: REMEMBERED });

  constructor(private readonly tokens: Pick<ServiceTokenSource, 'issue' | 'renew'>) {}

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

  /** The trust is gone. */
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
