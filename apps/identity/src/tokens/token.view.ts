/** Tokens on the wire. Public source: Keystone API reference, "Authentication and token management". */
import type { CatalogEntry } from '../catalog/catalog.js';
import { timestamp, zonelessTimestamp } from '../http/timestamp.js';
import type { Scope } from './scope.js';
import type { Token, TokenDelegation } from './token.js';

/** @param catalog left out where the token has no scope, or the caller wants none */
export function tokenView(token: Token, catalog: readonly CatalogEntry[] | undefined): object {
  const { passwordExpiresAt } = token;
  return {
    methods: token.methods,
    user: {
      id: token.user.id,
      name: token.user.name,
      domain: token.userDomain,
      password_expires_at: passwordExpiresAt && zonelessTimestamp(passwordExpiresAt),
    },
    audit_ids: token.auditIds,
    issued_at: timestamp(token.issuedAt),
    expires_at: timestamp(token.expiresAt),
    ...scopeView(token.scope),
    ...(token.delegation ? delegationView(token.delegation) : {}),
    ...(catalog && token.scope.kind !== 'unscoped' ? { catalog } : {}),
  };
}

function scopeView(scope: Scope): object {
  switch (scope.kind) {
    case 'unscoped':
      return {};
    case 'project':
      return {
        project: { ...scope.project, domain: scope.domain },
        is_domain: false,
        roles: scope.roles,
      };
    case 'domain':
      return { domain: scope.domain, roles: scope.roles };
    case 'system':
      return { system: { all: true }, roles: scope.roles };
  }
}

function delegationView(delegation: TokenDelegation): object {
  if (delegation.kind === 'trust') {
    const { id, trustorId, trusteeId, impersonation } = delegation;
    return {
      'OS-TRUST:trust': {
        id,
        trustor_user: { id: trustorId },
        trustee_user: { id: trusteeId },
        impersonation,
      },
    };
  }
  const { id, name, unrestricted, accessRules } = delegation;
  return {
    application_credential: {
      id,
      name,
      restricted: !unrestricted,
      ...(accessRules ? { access_rules: accessRules } : {}),
    },
  };
}
