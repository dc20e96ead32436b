import { DomainError, type DomainErrorOptions } from '@cumulet/common/errors/domain-error';

/** A property's value is not what its type allows; the message names the property and the value. */
export class PropertyError extends DomainError {
  constructor(
    /** `networks[0].port` */
    readonly path: string,
    message: string,
  ) {
    super('invalid', message);
  }
}

/** What a resource stands for went to a state that it cannot come out of by itself. */
export class ResourceInErrorError extends DomainError {
  constructor(status: string, reason: string) {
    super('unprocessable', `Went to status ${status} due to "${reason}"`);
  }
}

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
export class ServiceMissingError extends DomainError {
  constructor(service: string) {
    super('unsupported', `This cloud has no service for ${service}.`);
  }
}
