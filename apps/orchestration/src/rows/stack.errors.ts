/**
 * What can go wrong with stacks and what they have. The names of these classes, without `Error`, are
 * the types that Heat's clients know. Public source: heat, `common/exception.py`.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** It does not exist, or is another project's. */
export class EntityNotFoundError extends DomainError {
  /** @param entity what it would be: `Stack`, `Resource Type` */
  constructor(entity: string, name: string) {
    super('not-found', `The ${entity} (${name}) could not be found.`);
  }
}

export class ResourceNotFoundError extends DomainError {
  constructor(name: string, stack: string) {
    super('not-found', `The Resource (${name}) could not be found in Stack ${stack}.`);
  }
}

/** It has a row, and nothing stands behind that yet. */
export class ResourceNotAvailableError extends DomainError {
  constructor(name: string) {
    super('not-found', `The Resource (${name}) is not available.`);
  }
}

export class SnapshotNotFoundError extends DomainError {
  constructor(id: string, stack: string) {
    super('not-found', `The Snapshot (${id}) for Stack (${stack}) could not be found.`);
  }
}

/** Without a type of Heat's own: what WebOb answers. */
export class HTTPNotFoundError extends DomainError {
  constructor(message: string) {
    super('not-found', message);
  }
}

export class StackExistsError extends DomainError {
  constructor(name: string) {
    super('conflict', `The Stack (${name}) already exists.`);
  }
}

export class ActionInProgressError extends DomainError {
  constructor(name: string, action: string) {
    super('conflict', `Stack ${name} already has an action (${action}) in progress.`);
  }
}

/** The stack, or the resource, is not in a state for it. */
export class NotSupportedError extends DomainError {
  constructor(feature: string) {
    super('invalid', `${feature} is not supported.`);
  }
}

export class ResourceActionNotSupportedError extends DomainError {
  constructor(action: string) {
    super('invalid', `${action} is not supported for resource.`);
  }
}

/** More than the service takes, whoever asks. */
export class RequestLimitExceededError extends DomainError {
  constructor(message: string) {
    super('invalid', `Request limit exceeded: ${message}`);
  }
}

/** A thing other than a stack, or what a stack has. */
export class NotFoundError extends DomainError {
  constructor(message: string) {
    super('not-found', message);
  }
}
