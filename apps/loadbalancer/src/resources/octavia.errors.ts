/**
 * Errors of Octavia's API that any resource may have. An error's class, without `Error`, is the `type` that
 * clients read, so each is named as Octavia's. Public source: octavia, `common/exceptions.py`.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class ValidationExceptionError extends DomainError {
  constructor(detail: string) {
    super('invalid', `Validation failure: ${detail}`);
  }
}

export class InvalidOptionError extends DomainError {
  constructor(value: string, option: string) {
    super('invalid', `${value} is not a valid option for ${option}`);
  }
}

/** The body refers to a resource that does not exist for the caller. */
export class InvalidSubresourceError extends DomainError {
  constructor(resource: string, id: string) {
    super('invalid', `${resource} ${id} not found.`);
  }
}

export class ProviderUnsupportedOptionError extends DomainError {
  constructor(provider: string, detail: string) {
    super('unsupported', `Provider '${provider}' does not support a requested option: ${detail}`);
  }
}

export class InvalidLimitError extends DomainError {
  constructor(limit: string) {
    super('invalid', `Supplied pagination limit '${limit}' is not valid.`);
  }
}

export class InvalidMarkerError extends DomainError {
  constructor(marker: string) {
    super('invalid', `Supplied pagination marker '${marker}' is not valid.`);
  }
}

export class InvalidSortKeyError extends DomainError {
  constructor(key: string) {
    super('invalid', `Supplied sort key '${key}' is not valid.`);
  }
}

export class InvalidSortDirectionError extends DomainError {
  constructor(direction: string) {
    super('invalid', `Supplied sort direction '${direction}' is not valid.`);
  }
}

/** The load balancer is being changed or deleted. */
export class ImmutableObjectError extends DomainError {
  constructor(resource: string, id: string) {
    super('conflict', `${resource} ${id} is immutable and cannot be updated.`);
  }
}

/** @param resource as Octavia calls it: `Load Balancer` */
export class NotFoundError extends DomainError {
  constructor(resource: string, id: string) {
    super('not-found', `${resource} ${id} not found.`);
  }
}

/** A part under a listener that answers by itself. */
export class ListenerNoChildrenError extends DomainError {
  constructor(protocol: string) {
    super('invalid', `Protocol ${protocol} listeners cannot have child objects.`);
  }
}

export class ObjectInUseError extends DomainError {
  constructor(object: string, id: string) {
    super('conflict', `${object} ${id} is in use and cannot be modified.`);
  }
}

export class RecordAlreadyExistsError extends DomainError {
  constructor(field: string, name: string) {
    super('conflict', `A ${field} of ${name} already exists.`);
  }
}
