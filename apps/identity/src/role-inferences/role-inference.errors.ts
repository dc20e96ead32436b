import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';

export class ImpliedRoleNotFoundError extends DomainError {
  constructor(prior: string, implied: string) {
    super('not-found', `Could not find implied role: the role ${prior} does not imply ${implied}.`);
  }
}

export class DuplicateInferenceError extends DomainError {
  constructor(prior: string, implied: string) {
    super('conflict', `The role ${prior} implies the role ${implied} already.`);
  }
}

/** A role would imply itself, at once or by way of others. */
export class InferenceCycleError extends DomainError {
  /** @param names of the roles on the way, from the role back to itself */
  constructor(names: readonly string[]) {
    super('conflict', `The role '${names[0] ?? ''}' would imply itself: ${names.join(' -> ')}.`);
  }
}

export class ProhibitedImpliedRoleError extends ForbiddenError {
  constructor(name: string, id: string) {
    super(`The role ${id} cannot be implied: no role may imply '${name}'.`);
  }
}

export class GlobalImpliesDomainRoleError extends ForbiddenError {
  constructor(prior: string, implied: string) {
    super(
      `The role ${prior} is of all domains, and cannot imply the role ${implied}, which is of one.`,
    );
  }
}
