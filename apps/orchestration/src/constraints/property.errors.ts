import { DomainError } from '@cumulet/common/errors/domain-error';

/** A property's value is not of its type; the message names the property and the value. */
export class PropertyError extends DomainError {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super('invalid', message);
  }
}
