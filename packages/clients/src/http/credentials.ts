import type { Actor } from './actor.js';

/** The tokens of a request. */
export interface ShownTokens {
  readonly token: string;
  /** The service's own token beside the caller's. */
  readonly serviceToken?: string | undefined;
}

/** The source of an actor's tokens. */
export interface Credentials {
  /**
   * @throws DelegationEndedError if the actor's trust has ended
   * @throws ServiceUnavailableError when identity is unreachable and no token is left
   * @throws ServiceRefusedError when identity refuses the service's password
   */
  of(actor: Actor): Promise<ShownTokens>;
  /** Replaces refused tokens, if possible. */
  invalidate(actor: Actor, refused: ShownTokens): void;
}

/** For clients that only use a bearer's token. */
export const NO_CREDENTIALS: Credentials = {
  of(actor) {
    if (actor.as === 'caller' && !actor.isRuled) return Promise.resolve(actor);
    return Promise.reject(new Error(`a client without credentials cannot act as ${actor.as}`));
  },
  invalidate() {},
};

/** Options of the clients of identity. */
export interface IdentityClientOptions {
  /** Without /v3. */
  readonly identityUrl: string;
  readonly credentials: Credentials;
}
