/** What can go wrong with secrets, in addition to malformed input. */
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { notFoundMessage } from '../http/refs.js';

/** It does not exist, has expired, or is another project's: the error does not say which. */
export class SecretNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', notFoundMessage('secret', 'Secret', id));
  }
}

export class NoPayloadError extends DomainError {
  constructor(id: string) {
    super('not-found', `Secret ${id} has no payload.`);
  }
}

export class PayloadExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `Secret ${id} has a payload already, which cannot be changed.`);
  }
}

export class PayloadNotAcceptableError extends DomainError {
  constructor(id: string, accept: string, own: string) {
    super(
      'not-acceptable',
      `The payload of secret ${id} cannot be had as '${accept}'; it is ${own}.`,
    );
  }
}

/** 400, as in Barbican. */
export class SecretHasConsumersError extends InvalidInputError {
  constructor(id: string) {
    super(`Secret ${id} has consumers; remove them first, or delete it with force=true.`);
  }
}
