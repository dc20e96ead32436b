import { DomainError } from '@cumulet/common/errors/domain-error';

export class AddressGroupNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Address group ${String(id)} could not be found.`);
  }
}

export class AddressGroupInUseError extends DomainError {
  constructor(id: string) {
    super('conflict', `Address group ${id} is in use on one or more security group rules.`);
  }
}

export class AddressesNotFoundError extends DomainError {
  constructor(addresses: readonly string[], id: string) {
    super('not-found', `Addresses ${addresses.join(', ')} not found in the address group ${id}.`);
  }
}

export class AddressesAlreadyExistError extends DomainError {
  constructor(addresses: readonly string[], id: string) {
    super('invalid', `Addresses ${addresses.join(', ')} already exist in the address group ${id}.`);
  }
}
