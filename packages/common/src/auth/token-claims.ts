/** What a token says, as every service reads it from its signed form. */
export interface TokenClaims {
  readonly userId: string;
  readonly userDomainId: string;
  readonly projectId?: string | undefined;
  /** The domain that owns the project, or the domain that the token is scoped to. */
  readonly domainId?: string | undefined;
  readonly scope: 'unscoped' | 'project' | 'domain' | 'system';
  readonly roles: readonly string[];
  readonly methods: readonly string[];
  /** The token's own audit id, then the first of the chain it was rescoped from. */
  readonly auditIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}
