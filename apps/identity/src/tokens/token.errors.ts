import { DomainError } from '@cumulet/common/errors/domain-error';

/** A subject token that is absent, malformed, expired or revoked; which of them is never said. */
export class TokenNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super('not-found', 'Could not find token: X-Subject-Token names none that is valid.', {
      cause,
    });
  }
}

/** `auth.identity.methods` names one that Keystone has and this service does not. */
export class AuthMethodNotSupportedError extends DomainError {
  constructor(method: string) {
    super('unauthenticated', `Attempted to authenticate with an unsupported method: ${method}.`);
  }
}
