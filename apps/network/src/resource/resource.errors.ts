/** What Neutron's API layer refuses of any resource, besides what every service does. */
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
