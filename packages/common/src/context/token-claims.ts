import type { AccessRule } from './access-rules.js';

/** Present in a token that was issued through a trust or an application credential. */
export type Delegation =
  /** A trust: `trusteeId` acts, with roles of `trustorId`. */
  | {
      readonly kind: 'trust';
      readonly id: string;
      readonly trustorId: string;
      readonly trusteeId: string;
      /** Earlier trustees, who redelegated the trust. */
      readonly intermediaryIds?: readonly string[] | undefined;
    }
  | {
      readonly kind: 'application-credential';
      readonly id: string;
      /** Whether it may manage its user's credentials and trusts. */
      readonly unrestricted: boolean;
      /** The requests that it may make; undefined allows all that its roles do. */
      readonly accessRules?: readonly AccessRule[] | undefined;
    };

/** The contents of a token. */
export interface TokenClaims {
  readonly userId: string;
  readonly userDomainId: string;
  readonly projectId?: string | undefined;
  /** The domain that owns the project, or to which the token is scoped. */
  readonly domainId?: string | undefined;
  readonly scope: TokenScope;
  readonly roles: readonly string[];
  readonly methods: readonly string[];
  /** The token's own audit id, then the first of the chain it was rescoped from. */
  readonly auditIds: readonly string[];
  readonly delegation?: Delegation | undefined;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export type TokenScope = 'unscoped' | 'project' | 'domain' | 'system';
