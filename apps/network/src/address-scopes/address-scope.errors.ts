import { DomainError } from '@cumulet/common/errors/domain-error';

export class AddressScopeNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Address scope ${String(id)} could not be found.`);
  }
}

export class AddressScopeInUseError extends DomainError {
  constructor(id: string) {
    super(
      'conflict',
      `Unable to complete operation on address scope ${id}. There are one or more subnet pools in use on the address scope.`,
    );
  }
}

export class AddressScopeUpdateError extends DomainError {
  constructor(id: string, reason: string) {
    super('invalid', `Unable to update address scope ${id} : ${reason}.`);
  }
}

export class NetworkAddressScopeAffinityError extends DomainError {
  constructor() {
    super(
      'invalid',
      'Subnets of the same address family hosted on the same network must all participate in the same address scope.',
    );
  }
}
