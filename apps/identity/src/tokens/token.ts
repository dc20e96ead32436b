import type { AccessRule } from '@cumulet/common/auth/access-rules';
import type { Delegation, TokenClaims } from '@cumulet/common/auth/token-claims';
import type { DomainId, UserId } from '@cumulet/common/context/ids';
import type { ApplicationCredentialId } from '../application-credentials/application-credential.entity.js';
import type { TrustId } from '../trusts/trust.entity.js';
import type { Named, Scope } from './scope.repository.js';

/** How a caller authenticated (Keystone API reference, "auth.identity.methods"). */
export const AUTH_METHODS = ['password', 'token', 'totp', 'application_credential'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Keystone's others. Public source: Keystone administrator guide, "Authentication Mechanisms". */
export const OTHER_AUTH_METHODS = [
  'external',
  'kerberos',
  'mapped',
  'oauth1',
  'openid',
  'saml2',
  'x509',
] as const;

/** The delegation by which a token acts for its user, as its body shows it. */
export type TokenDelegation =
  | {
      readonly kind: 'trust';
      readonly id: TrustId;
      readonly trustorId: UserId;
      readonly trusteeId: UserId;
      readonly intermediaryIds: readonly UserId[];
      readonly impersonation: boolean;
    }
  | {
      readonly kind: 'application-credential';
      readonly id: ApplicationCredentialId;
      readonly name: string;
      readonly unrestricted: boolean;
      readonly accessRules: readonly AccessRule[] | undefined;
    };

/** Everything that a token's body shows. */
export interface Token {
  readonly user: Named<UserId>;
  readonly userDomain: Named<DomainId>;
  readonly passwordExpiresAt: Date | null;
  readonly scope: Scope;
  readonly delegation: TokenDelegation | undefined;
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
    delegation: token.delegation && delegationClaims(token.delegation),
    issuedAt,
    expiresAt,
  };
}

function delegationClaims(delegation: TokenDelegation): Delegation {
  if (delegation.kind === 'trust') {
    const { kind, id, trustorId, trusteeId, intermediaryIds } = delegation;
    return { kind, id, trustorId, trusteeId, intermediaryIds };
  }
  const { kind, id, unrestricted, accessRules } = delegation;
  return { kind, id, unrestricted, accessRules };
}
