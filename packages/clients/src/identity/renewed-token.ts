import type { IssuedToken } from './issued-token.js';

/**
 * A token that is used over and over.
 *
 * Always holds: concurrent callers share one request; the token is renewed when a fifth of its life
 * is left, and while the old one is valid a failing identity does no harm.
 */
export class RenewedToken {
  #token: IssuedToken | undefined;
  #renewing: Promise<IssuedToken> | undefined;

  constructor(private readonly ask: () => Promise<IssuedToken>) {}

  /** @returns a token valid for a while yet, or what `ask` throws if none is left */
  async get(): Promise<IssuedToken> {
    const token = this.#token;
    if (token && Date.now() < token.renewAt) return token;
    try {
      return await this.renew();
    } catch (error) {
      if (token && token === this.#token && Date.now() < token.expiresAt) return token;
      throw error;
    }
  }

  /** Call it with a refused token: the next one is new. */
  invalidate(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  /** Always a new one, which replaces the old. */
  renew(): Promise<IssuedToken> {
    this.#renewing ??= this.ask()
      .then((token) => (this.#token = token))
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }
}
