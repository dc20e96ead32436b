import type { DomainId, UserId } from '@cumulet/common/context/ids';
import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import type { Named, Scope } from './scope.js';

/** How a caller showed who it is (Keystone API reference, "auth.identity.methods"). */
export type AuthMethod = 'password' | 'token';

/** Everything that a token's body shows. */
export interface Token {
  readonly user: Named<UserId>;
  readonly userDomain: Named<DomainId>;
  readonly scope: Scope;
  readonly methods: readonly string[];
  /** Its own audit id, then the first of the chain it was rescoped from. */
  readonly auditIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

/** The part of a token that is signed and that services read. */
export function claimsOf(token: Token): TokenClaims {
  const { scope, user, userDomain, methods, auditIds, issuedAt, expiresAt } = token;
  return {
    userId: user.id,
    userDomainId: userDomain.id,
    ...(scope.kind === 'project' ? { projectId: scope.project.id } : {}),
    ...(scope.kind === 'project' || scope.kind === 'domain' ? { domainId: scope.domain.id } : {}),
    scope: scope.kind,
    roles: scope.kind === 'unscoped' ? [] : scope.roles.map(({ name }) => name),
    methods,
    auditIds,
    issuedAt,
    expiresAt,
  };
}
