/**
 * What Neutron's API layer refuses, of any resource. An error's class, without `Error`, is the
 * `type` that clients read, so each is named as Neutron's.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** A request that is wrong whatever the rows say: an attribute, a filter, a page. */
export class HTTPBadRequestError extends DomainError {
  constructor(message: string) {
    super('invalid', message);
  }
}

/** A value that its attribute does not take. */
export class InvalidValueError extends HTTPBadRequestError {
  constructor(attribute: string, reason: string) {
    super(`Invalid input for ${attribute}. Reason: ${reason}.`);
    this.name = HTTPBadRequestError.name;
  }
}

/** Values that do not go together, or not with what there is. */
export class InvalidInputError extends DomainError {
  constructor(reason: string) {
    super('invalid', `Invalid input for operation: ${reason}.`);
  }
}

/** A request for several resources, as Neutron's plugins word it. */
export class BadRequestError extends DomainError {
  constructor(plural: string, reason: string) {
    super('invalid', `Bad ${plural} request: ${reason}.`);
  }
}

/** @param rule Neutron's name of what is denied: `create_network:shared` */
export class PolicyNotAuthorizedError extends DomainError {
  constructor(rule: string) {
    super('forbidden', `rule:${rule} is disallowed by policy`);
  }
}

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
