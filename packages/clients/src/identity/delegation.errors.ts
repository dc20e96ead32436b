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

/** The trust that the work relied on has ended. */
export class DelegationEndedError extends DomainError {
  constructor(trustId: string, cause: unknown) {
    super(
      'gone',
      `The trust ${trustId} is not valid any more: it is gone, or its user is disabled or has lost what it gave.`,
      { cause },
    );
  }
}
