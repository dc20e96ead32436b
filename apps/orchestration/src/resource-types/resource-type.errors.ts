import {
  DomainError,
  UnavailableError,
  type DomainErrorOptions,
  errorOf,
} from '@cumulet/common/errors/domain-error';

/** What a resource stands for went to a state that it cannot come out of by itself. */
export class ResourceInErrorError extends errorOf(
  'unprocessable',
  (status: string, reason: string) => `Went to status ${status} due to "${reason}"`,
) {}

/** A change that only another one can have: not a failure. */
export class ReplacementNeeded extends Error {
  override readonly name = 'ReplacementNeeded';
}

/** What is asked for cannot be done at present; asked again later, it may. */
export class NotYetError extends DomainError {
  constructor(message: string, options?: DomainErrorOptions) {
    super('transient', message, options);
  }
}

/** The type needs a service that this cloud does not have. */
export class ServiceMissingError extends errorOf(
  'unsupported',
  (service: string) => `This cloud has no service for ${service}.`,
) {}

/** A step was refused because of the state that another one is in: `ValueError` and the like. */
export class TypedFailure extends DomainError {
  /** @param type of the exception, as Heat names it */
  constructor(
    readonly type: string,
    message: string,
  ) {
    super('unprocessable', message);
  }
}

/** What a stack below this one failed with. */
export class NestedFailure extends DomainError {
  constructor(readonly reason: string) {
    super('unprocessable', reason);
  }
}

/** Another action has just begun: asked again, it is seen as that leaves it. */
export class StackBusyError extends UnavailableError {
  constructor() {
    super('Another action of the stack below has just begun.');
  }
}
