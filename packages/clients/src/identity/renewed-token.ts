import type { IssuedToken } from './issued-token.js';

/**
 * Always holds: concurrent callers share one request; the token is renewed when a fifth of its life
 * is left, and identity may fail while the old one is valid.
 */
export class RenewedToken {
  #token: IssuedToken | undefined;
  #renewing: Promise<IssuedToken> | undefined;

  constructor(private readonly ask: () => Promise<IssuedToken>) {}

  /** @throws as `ask`, if no valid token is left */
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

  /** Replaces a refused token. */
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
