import type { Delegation, TokenClaims } from '@cumulet/common/context/token-claims';
import type { Account } from '../users/user.repository.js';
import type { Scope } from '../roles/scope.repository.js';

/** Public source: Keystone API reference, "auth.identity.methods". */
export const AUTH_METHODS = ['password', 'token', 'totp', 'application_credential'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export function isAuthMethod(name: string): name is AuthMethod {
  return (AUTH_METHODS as readonly string[]).includes(name);
}

export type TrustDelegation = Extract<Delegation, { kind: 'trust' }> & {
  readonly impersonation: boolean;
};
export type CredentialDelegation = Extract<Delegation, { kind: 'application-credential' }> & {
  readonly name: string;
};

/** The delegation behind a token, with the further properties of its body. */
export type TokenDelegation = TrustDelegation | CredentialDelegation;

export interface Token extends Pick<
  TokenClaims,
  'methods' | 'auditIds' | 'issuedAt' | 'expiresAt'
> {
  /** The user that it acts as. */
  readonly user: Account;
  readonly scope: Scope;
  readonly delegation?: TokenDelegation | undefined;
}

/** The signed part of a token, which services read. */
export function claimsOf({ user, scope, ...claims }: Token): TokenClaims {
  return {
    ...claims,
    userId: user.id,
    userDomainId: user.domainId,
    projectId: scope.kind === 'project' ? scope.project.id : undefined,
    domainId: scope.kind === 'project' || scope.kind === 'domain' ? scope.domain.id : undefined,
    scope: scope.kind,
    roles: scope.kind === 'unscoped' ? [] : scope.roles.map(({ name }) => name),
  };
}
