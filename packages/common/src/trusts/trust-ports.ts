/** What a service that works through trusts brings to them: identity, and its own rows. */
import type { RequestContext } from '../context/request-context.js';

/** A trust that the service was given, as identity lists it. */
export interface GivenTrust {
  readonly id: string;
  readonly expiresAt: Date | null;
}

/** Identity, which makes trusts and ends them. */
export abstract class TrustAuthority {
  /**
   * Leave to act as the caller once the request is over.
   * @param expiresAt unless the caller acts by a trust: then it ends with that
   * @returns the trust's id
   */
  abstract createTrust(ctx: RequestContext, expiresAt: Date): Promise<string>;

  /** Whether the service can act by it still. */
  abstract isTrustValid(trustId: string): Promise<boolean>;

  /** All that this service was given. */
  abstract givenTrusts(): Promise<readonly GivenTrust[]>;

  /** What has ended already is no error. */
  abstract endTrust(trustId: string): Promise<void>;
}

/** The rows of the service that work through trusts. */
export abstract class TrustHolders {
  /** Which of these a row holds. */
  abstract heldTrusts(
    ctx: RequestContext,
    trustIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
}
