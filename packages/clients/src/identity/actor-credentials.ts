/** The tokens of those as whom a service acts: its caller, itself, and users who gave it a trust. */
import type { Actor } from '../http/actor.js';
import type { Credentials, ShownTokens } from '../http/credentials.js';
import type { ServiceTokenSource } from './service-token-source.js';
import { RenewedToken } from './renewed-token.js';
import { TrustTokens } from './trust-tokens.js';

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
        // Access rules limit what a client may ask for, not what serving it takes.
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
