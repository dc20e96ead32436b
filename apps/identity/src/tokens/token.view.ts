/** Public source: Keystone API reference, "Authentication and token management". */
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { RuleView } from '../application-credentials/application-credential.resource.js';
import { CatalogEntry } from '../catalog/catalog.js';
import { timestamp, zonelessTimestamp } from '../http/timestamp.js';
import type { Account } from '../users/user.repository.js';
import type { Receipt } from './receipts.js';
import type { Scope } from '../roles/scope.repository.js';
import type { CredentialDelegation, Token, TokenDelegation, TrustDelegation } from './token.js';

class IdView {
  @Shown(String, 'The ID.')
  id: string;
}

class NamedView extends IdView {
  @Shown(String, 'The name.')
  name: string;
}

class OwnedView extends NamedView {
  @Shown(() => NamedView, 'The domain that owns it.')
  domain: NamedView;
}

class TokenUserView extends OwnedView {
  @Shown(String, 'When the password expires; null for never.', { nullable: true })
  password_expires_at: string | null;
}

export class SystemView {
  @Shown(Boolean, 'Always true.')
  all: boolean;
}

class TokenTrustView extends IdView {
  @Shown<TrustDelegation>(() => IdView, 'The user who gave the trust.', {
    from: ({ trustorId }) => ({ id: trustorId }),
  })
  trustor_user: IdView;

  @Shown<TrustDelegation>(() => IdView, 'The user who acts by the trust.', {
    from: ({ trusteeId }) => ({ id: trusteeId }),
  })
  trustee_user: IdView;

  @Shown(Boolean, 'Whether services see the trustor act, rather than the trustee.')
  impersonation: boolean;
}

class TokenCredentialView extends NamedView {
  @Shown<CredentialDelegation>(
    Boolean,
    "Whether it may not manage its user's credentials and trusts.",
    { from: ({ unrestricted }) => !unrestricted },
  )
  restricted: boolean;

  @Shown([() => RuleView], 'The requests that it is limited to.', { optional: true })
  access_rules?: readonly RuleView[];
}

export class TokenView {
  @Shown([String], 'The methods by which the user has authenticated.')
  methods: readonly string[];

  @Shown(() => TokenUserView, 'The user for whom the token acts.')
  user: TokenUserView;

  @Shown(
    [String],
    'The audit ID of the token, and for a rescoped one that of the first token of its chain.',
  )
  audit_ids: readonly string[];

  @Shown('date-time', 'When it was issued.')
  issued_at: string;

  @Shown('date-time', 'When it expires.')
  expires_at: string;

  @Shown(() => OwnedView, 'The project to which it is scoped.', { optional: true })
  project?: OwnedView;

  @Shown(Boolean, 'False for a token that is scoped to a project.', {
    optional: true,
  })
  is_domain?: boolean;

  @Shown(() => NamedView, 'The domain to which it is scoped.', { optional: true })
  domain?: NamedView;

  @Shown(() => SystemView, 'Present where the token is scoped to the system.', { optional: true })
  system?: SystemView;

  @Shown([() => NamedView], 'The roles that it gives; absent from an unscoped token.', {
    optional: true,
  })
  roles?: readonly NamedView[];

  @Shown(() => TokenTrustView, 'The trust behind the token.', { optional: true })
  'OS-TRUST:trust'?: TokenTrustView;

  @Shown(() => TokenCredentialView, 'The application credential behind the token.', {
    optional: true,
  })
  application_credential?: TokenCredentialView;

  @Shown(
    [() => CatalogEntry],
    'The services; absent from an unscoped token, and with `nocatalog`.',
    {
      optional: true,
    },
  )
  catalog?: readonly CatalogEntry[];
}

export class TokenBody {
  @Shown(() => TokenView, 'The token; the header X-Subject-Token has its signed form.')
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

/** Public source: Keystone API reference, "Multi-Step authentication". */
const ReceiptView = answerClass('ReceiptView', {
  methods: Shown([String], 'The methods by which the user has authenticated.'),
  user: Shown(() => OwnedView, 'The user.'),
  issued_at: Shown('date-time', 'When it was issued.'),
  expires_at: Shown('date-time', 'When it expires.'),
});

export const ReceiptAnswer = answerClass('ReceiptAnswer', {
  receipt: Shown(() => ReceiptView, 'The receipt: what the user has proved so far.'),
  required_auth_methods: Shown([[String]], 'Lists of methods; those of one list suffice together.'),
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
