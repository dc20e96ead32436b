/** Interfaces of a service that works through trusts: to identity, and to its rows. */
import type { RequestContext } from '../context/request-context.js';

/** A trust given to the service, as identity lists it. */
export interface GivenTrust {
  readonly id: string;
  readonly expiresAt: Date | null;
}

export abstract class TrustAuthority {
  /**
   * A trust to act as the caller after the request.
   * @param expiresAt ignored if the caller itself acts through a trust, with which it then ends
   * @returns the trust's ID
   */
  abstract createTrust(ctx: RequestContext, expiresAt: Date): Promise<string>;

  /** Whether it is still valid. */
  abstract isTrustValid(trustId: string): Promise<boolean>;

  /** All trusts given to this service. */
  abstract givenTrusts(): Promise<readonly GivenTrust[]>;

  /** Does nothing if it has ended. */
  abstract endTrust(trustId: string): Promise<void>;
}

/** The service's rows that refer to trusts. */
export abstract class TrustHolders {
  /** Those of these trusts that a row refers to. */
  abstract heldTrusts(
    ctx: RequestContext,
    trustIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
}
