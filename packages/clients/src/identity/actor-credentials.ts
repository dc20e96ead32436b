/** The tokens of those as whom a service acts: its caller, itself, and users who gave it a trust. */
import type { Actor } from '../http/actor.js';
import type { Credentials, ShownTokens } from '../http/credentials.js';
import type { ServiceTokenSource } from './service-token-source.js';
import { TrustTokens } from './trust-tokens.js';

export class ActorCredentials implements Credentials {
  readonly trusts: TrustTokens;

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
        return { token: await this.tokens.token() };
      case 'trustor':
        return { token: await this.trusts.token(actor.trustId) };
    }
  }

  invalidate(actor: Actor, { token, serviceToken }: ShownTokens): void {
    if (actor.as === 'service') this.tokens.invalidate(token);
    if (actor.as === 'trustor') this.trusts.invalidate(actor.trustId, token);
    if (serviceToken !== undefined) this.tokens.invalidate(serviceToken);
  }
}
