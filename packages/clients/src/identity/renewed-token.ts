import type { IssuedToken } from './issued-token.js';

/**
 * A token that is asked for again and again.
 *
 * Always holds: one request at a time, however many want the token; it is renewed while a fifth of
 * its life is left, and as long as the old one is good a failing identity hurts nobody.
 */
export class RenewedToken {
  #token: IssuedToken | undefined;
  #renewing: Promise<IssuedToken> | undefined;

  constructor(private readonly ask: () => Promise<IssuedToken>) {}

  /** @returns a token that is good for a while yet, or what `ask` throws where none is left */
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

  /** Call it with a token that a service refused: the next one is new. */
  invalidate(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  /** A new one in any case, which takes the place of the old. */
  renew(): Promise<IssuedToken> {
    this.#renewing ??= this.ask()
      .then((token) => (this.#token = token))
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }
}
