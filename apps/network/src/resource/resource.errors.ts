/** Errors of Neutron's API layer for any resource, in addition to those of every service. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** The resource has changed since the client read it. */
export class RevisionNumberConstraintFailedError extends DomainError {
  constructor(expected: number, current: number) {
    super('precondition-failed', `Constrained to ${expected}, but current revision is ${current}`);
  }
}

export class TagNotFoundError extends DomainError {
  constructor(tag: string) {
    super('not-found', `Tag ${tag} could not be found.`);
  }
}
