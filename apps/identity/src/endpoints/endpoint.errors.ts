import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class EndpointNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find endpoint: ${id}.`);
  }
}

/** An endpoint that is to be of a service, or in a region, that is not there. */
export class UnknownReferenceError extends InvalidInputError {
  constructor(property: string, id: string | null) {
    super(`Invalid input: there is no ${property} '${id ?? ''}'.`);
  }
}
