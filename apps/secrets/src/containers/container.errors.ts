/** What can go wrong with containers, in addition to malformed input. */
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { notFoundMessage } from '../http/refs.js';

/** It does not exist, or is another project's: the error does not say which. */
export class ContainerNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', notFoundMessage('container', 'Secrets container', id));
  }
}

/** A container's secrets are its project's own. */
export class ContainedSecretNotFoundError extends DomainError {
  constructor(name: string, id: string) {
    super('not-found', `Secret ${id}, given as '${name}', not found.`);
  }
}

export class NotInContainerError extends DomainError {
  constructor(id: string, name: string, secretId: string) {
    super('not-found', `Container ${id} does not have secret ${secretId} as '${name}'.`);
  }
}

export class NameTakenError extends DomainError {
  constructor(id: string, name: string) {
    super('conflict', `Container ${id} has a secret as '${name}' already.`);
  }
}

/** 400, as in Barbican. */
export class ContainerFixedError extends InvalidInputError {
  constructor(id: string, type: string) {
    super(`Only generic containers can be changed; container ${id} is of type ${type}.`);
  }
}
