import {
  DomainError,
  UnavailableError,
  type DomainErrorOptions,
  errorOf,
} from '@cumulet/common/errors/domain-error';

/** The service's resource is in a state that it cannot leave by itself. */
export class ResourceInErrorError extends errorOf(
  'unprocessable',
  (status: string, reason: string) => `Went to status ${status} due to "${reason}"`,
) {}

/** The change requires a replacement; not a failure. */
export class ReplacementNeeded extends Error {
  override readonly name = 'ReplacementNeeded';
}

/** The request cannot be fulfilled yet, but may be later. */
export class NotYetError extends DomainError {
  constructor(message: string, options?: DomainErrorOptions) {
    super('transient', message, options);
  }
}

export class ServiceMissingError extends errorOf(
  'unsupported',
  (service: string) => `This cloud has no service for ${service}.`,
) {}

/** A step was refused because of another resource's state, with a type such as `ValueError`. */
export class TypedFailure extends DomainError {
  /** @param type of the exception in Heat */
  constructor(
    readonly type: string,
    message: string,
  ) {
    super('unprocessable', message);
  }
}

export class NestedFailure extends DomainError {
  constructor(readonly reason: string) {
    super('unprocessable', reason);
  }
}

/** Another action has just begun; a retry sees its outcome. */
export class StackBusyError extends UnavailableError {
  constructor() {
    super('Another action of the stack below has just begun.');
  }
}
