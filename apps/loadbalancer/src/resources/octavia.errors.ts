/**
 * What Octavia's API refuses, of any resource. An error's class, without `Error`, is the `type` that
 * clients read, so each is named as Octavia's. Public source: octavia, `common/exceptions.py`.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** Values that do not go together, or not with what there is. */
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

/** Something that the body names, and that is not there for the caller. */
export class InvalidSubresourceError extends DomainError {
  constructor(resource: string, id: string) {
    super('invalid', `${resource} ${id} not found.`);
  }
}

/** What the load balancer's provider cannot do. */
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
