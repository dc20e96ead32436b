import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';

/** A subject token that is absent, malformed, expired or revoked; the error never says which. */
export class TokenNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super('not-found', 'Could not find token: X-Subject-Token names none that is valid.', {
      cause,
    });
  }
}

/** A token that no longer proves anything: it has expired, or was revoked. */
export class SpentProofError extends DomainError {
  constructor(cause?: unknown) {
    super('not-found', 'Could not find token: auth.identity.token.id names none that is valid.', {
      cause,
    });
  }
}

/** A receipt that is malformed, expired, revoked or another user's; the error never says which. */
export class ReceiptNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super(
      'unauthenticated',
      'Could not find auth receipt: Openstack-Auth-Receipt names none that is valid.',
      { cause },
    );
  }
}

/** `auth.identity.methods` names one that Keystone has and this service does not. */
export class AuthMethodNotSupportedError extends DomainError {
  constructor(method: string) {
    super('unauthenticated', `Attempted to authenticate with an unsupported method: ${method}.`);
  }
}

/** The password is right; only those who know it learn that it has expired. */
export class PasswordExpiredError extends DomainError {
  constructor(userId: string) {
    super(
      'unauthenticated',
      `The password is expired and needs to be changed for user: ${userId}.`,
    );
  }
}

/** A credential is valid for its own project only, whatever else its user has. */
export class CredentialScopeError extends DomainError {
  constructor() {
    super('unauthenticated', 'Application credentials cannot request a scope.');
  }
}

/** A delegate must not obtain more than it was given. */
export class RescopingForbiddenError extends ForbiddenError {
  constructor(what: string) {
    super(`You are not authorized to perform the requested action: ${what}.`);
  }
}
