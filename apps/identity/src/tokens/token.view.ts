/** Tokens on the wire. Public source: Keystone API reference, "Authentication and token management". */
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { RuleView } from '../application-credentials/application-credential.resource.js';
import { CatalogEntry } from '../catalog/catalog.js';
import { timestamp, zonelessTimestamp } from '../http/timestamp.js';
import type { Account } from '../users/user.repository.js';
import type { Receipt } from './receipts.js';
import type { Scope } from '../roles/scope.repository.js';
import type { CredentialDelegation, Token, TokenDelegation, TrustDelegation } from './token.js';

class IdView {
  @Shown(String, 'Its id.')
  id: string;
}

class NamedView extends IdView {
  @Shown(String, 'Its name.')
  name: string;
}

/** A project, or a user, in its domain. */
class OwnedView extends NamedView {
  @Shown(() => NamedView, 'The domain that owns it.')
  domain: NamedView;
}

class TokenUserView extends OwnedView {
  @Shown(String, 'When the password expires; null for never.', { nullable: true })
  password_expires_at: string | null;
}

export class SystemView {
  @Shown(Boolean, 'True: the system has no parts.')
  all: boolean;
}

class TokenTrustView extends IdView {
  @Shown<TrustDelegation>(() => IdView, 'Who gives it.', {
    from: ({ trustorId }) => ({ id: trustorId }),
  })
  trustor_user: IdView;

  @Shown<TrustDelegation>(() => IdView, 'Who acts by it.', {
    from: ({ trusteeId }) => ({ id: trusteeId }),
  })
  trustee_user: IdView;

  @Shown(Boolean, 'Whether services see the trustor act, rather than the trustee.')
  impersonation: boolean;
}

class TokenCredentialView extends NamedView {
  @Shown<CredentialDelegation>(
    Boolean,
    'Whether it may not manage its user’s credentials and trusts.',
    { from: ({ unrestricted }) => !unrestricted },
  )
  restricted: boolean;

  @Shown([() => RuleView], 'The requests that it is limited to.', { optional: true })
  access_rules?: readonly RuleView[];
}

export class TokenView {
  @Shown([String], 'The methods by which the user has authenticated.')
  methods: readonly string[];

  @Shown(() => TokenUserView, 'As whom the token acts.')
  user: TokenUserView;

  @Shown([String], 'Its own audit id, then the first of the chain it was rescoped from.')
  audit_ids: readonly string[];

  @Shown('date-time', 'When it was issued.')
  issued_at: string;

  @Shown('date-time', 'Until when it is good.')
  expires_at: string;

  @Shown(() => OwnedView, 'The project that it is good for.', { optional: true })
  project?: OwnedView;

  @Shown(Boolean, 'False, of a token of a project: no project acts as a domain.', {
    optional: true,
  })
  is_domain?: boolean;

  @Shown(() => NamedView, 'The domain that it is good for.', { optional: true })
  domain?: NamedView;

  @Shown(() => SystemView, 'Of a token that is good for the system.', { optional: true })
  system?: SystemView;

  @Shown([() => NamedView], 'What its user may do there; none of an unscoped token.', {
    optional: true,
  })
  roles?: readonly NamedView[];

  @Shown(() => TokenTrustView, 'The trust that it was had by.', { optional: true })
  'OS-TRUST:trust'?: TokenTrustView;

  @Shown(() => TokenCredentialView, 'The credential that it was had by.', { optional: true })
  application_credential?: TokenCredentialView;

  @Shown([() => CatalogEntry], 'The services, unless it is unscoped or none was wanted.', {
    optional: true,
  })
  catalog?: readonly CatalogEntry[];
}

export class TokenBody {
  @Shown(() => TokenView, 'The token; X-Subject-Token has its signed form.')
  token: TokenView;
}

/** @param catalog omitted if the token has no scope, or the caller does not want it */
export function tokenView(token: Token, catalog: readonly CatalogEntry[] | undefined): TokenView {
  const { passwordExpiresAt } = token.user;
  return {
    methods: token.methods,
    user: {
      ...userView(token.user),
      password_expires_at: passwordExpiresAt && zonelessTimestamp(passwordExpiresAt),
    },
    audit_ids: token.auditIds,
    issued_at: timestamp(token.issuedAt),
    expires_at: timestamp(token.expiresAt),
    ...scopeView(token.scope),
    ...(token.delegation ? delegationView(token.delegation) : {}),
    ...(catalog ? { catalog } : {}),
  };
}

function userView({ id, name, domainId, domainName }: Account) {
  return { id, name, domain: { id: domainId, name: domainName } };
}

function scopeView(scope: Scope): Partial<TokenView> {
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

const trustView = viewOf<TrustDelegation, TokenTrustView>(TokenTrustView);
const credentialView = viewOf<CredentialDelegation, TokenCredentialView>(TokenCredentialView);

function delegationView(delegation: TokenDelegation): Partial<TokenView> {
  return delegation.kind === 'trust'
    ? { 'OS-TRUST:trust': trustView(delegation) }
    : { application_credential: credentialView(delegation) };
}

/** What a client must still show. Public source: Keystone API reference, "Multi-Step authentication". */
const ReceiptView = answerClass('ReceiptView', {
  methods: Shown([String], 'The methods by which the user has authenticated.'),
  user: Shown(() => OwnedView, 'The user.'),
  issued_at: Shown('date-time', 'When it was issued.'),
  expires_at: Shown('date-time', 'Until when it can be used.'),
});

export const ReceiptAnswer = answerClass('ReceiptAnswer', {
  receipt: Shown(() => ReceiptView, 'What the user has shown.'),
  required_auth_methods: Shown([[String]], 'Lists of methods, each of which is enough together.'),
});

export function receiptView(receipt: Receipt): object {
  const { account, methods, issuedAt, expiresAt, requiredMethods } = receipt;
  return {
    receipt: {
      methods,
      user: userView(account),
      issued_at: timestamp(issuedAt),
      expires_at: timestamp(expiresAt),
    },
    required_auth_methods: requiredMethods,
  };
}
