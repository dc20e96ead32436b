import type { Actor } from './actor.js';

/** What a request shows of its actor. */
export interface ShownTokens {
  readonly token: string;
  /** The service's own token beside the caller's: shows that a sister asks to serve a request. */
  readonly serviceToken?: string | undefined;
}

/** How a service comes by the tokens of an actor. */
export interface Credentials {
  /**
   * @throws DelegationEndedError if the actor's trust gives nothing any more
   * @throws ServiceUnavailableError when identity is unreachable and no token is left
   * @throws ServiceRefusedError when identity refuses the service's password
   */
  of(actor: Actor): Promise<ShownTokens>;
  /** Call it with what a sister refused: the next ones are new, where new ones are to be had. */
  invalidate(actor: Actor, refused: ShownTokens): void;
}

/** For those who are no service: a bearer's token is all there is. */
export const NO_CREDENTIALS: Credentials = {
  of(actor) {
    if (actor.as === 'caller' && !actor.isRuled) return Promise.resolve(actor);
    return Promise.reject(new Error(`a client without credentials cannot act as ${actor.as}`));
  },
  invalidate() {},
};
