import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { ServiceRefusedError } from '../http/service-client-errors.js';

/** The caller may not let a service act for it: it is a delegate itself, or lacks a role. */
export class DelegationForbiddenError extends ForbiddenError {
  constructor(refusal: ServiceRefusedError) {
    super(
      `Work that goes on after the request needs a trust, and identity refused it: ${refusal.serviceMessage ?? 'no reason given'}`,
      { cause: refusal },
    );
  }
}

export class DelegationEndedError extends DomainError {
  constructor(trustId: string, cause: unknown) {
    super(
      'gone',
      `The trust ${trustId} is no longer valid: it was deleted, or its user is disabled or has lost a role.`,
      { cause },
    );
  }
}
