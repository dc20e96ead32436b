import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { LoginCredential } from '../application-credentials/application-credential.repository.js';
import type { Account } from '../users/user.repository.js';

/** Who a proof shows its caller to be. */
export interface Identified {
  readonly account: Account;
  readonly methods: readonly string[];
  /** The token that was shown: the new one expires with it and joins its audit chain. */
  readonly parent?: TokenClaims | undefined;
  /** What the new token is limited to. */
  readonly credential?: LoginCredential | undefined;
  /**
   * Whether the proof still stands, asked of the rows under the lock for issuing tokens: checking it
   * took its time, in which the password, the credential or the token may have been taken away.
   */
  readonly confirm: (tx: RequestContext) => Promise<boolean>;
}

/** One way to show who one is, named as in `auth.identity.methods`. */
export interface LoginMethod<P> {
  /** @throws UnauthenticatedError for a bad proof, after the same work whatever is wrong with it */
  check(ctx: RequestContext, proof: P): Promise<Identified>;
}
