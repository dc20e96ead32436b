import { DomainError } from '@cumulet/common/errors/domain-error';

export class SubnetPoolNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Subnet pool ${String(id)} could not be found.`);
  }
}

export class SubnetPoolDeleteError extends DomainError {
  constructor() {
    super('invalid', 'Unable to delete subnet pool: Subnet pool has existing allocations.');
  }
}

export class EmptySubnetPoolPrefixListError extends DomainError {
  constructor() {
    super('invalid', 'Empty subnet pool prefix list.');
  }
}

export class PrefixVersionMismatchError extends DomainError {
  constructor() {
    super('invalid', 'Cannot mix IPv4 and IPv6 prefixes in a subnet pool.');
  }
}

export class IllegalSubnetPoolPrefixBoundsError extends DomainError {
  constructor(bound: string, value: number, base: string, limit: number) {
    super('invalid', `Illegal prefix bounds: ${bound}=${value}, ${base}=${limit}.`);
  }
}

export class IllegalSubnetPoolPrefixUpdateError extends DomainError {
  constructor(reason: string) {
    super('invalid', `Illegal update to prefixes: ${reason}.`);
  }
}

export class IllegalSubnetPoolUpdateError extends DomainError {
  constructor(reason: string) {
    super('invalid', `Illegal subnetpool update : ${reason}.`);
  }
}

export class IllegalSubnetPoolIpVersionAssociationToAddressScopeError extends DomainError {
  constructor(poolId: string, scopeId: string, version: number) {
    super(
      'invalid',
      `Illegal subnetpool association: subnetpool ${poolId} cannot associate with address scope ${scopeId} because subnetpool ip_version is not ${version}.`,
    );
  }
}

export class AddressScopePrefixConflictError extends DomainError {
  constructor() {
    super(
      'conflict',
      'Failed to associate address scope: subnetpools within an address scope must have unique prefixes.',
    );
  }
}

export class MinPrefixSubnetAllocationError extends DomainError {
  constructor(prefix: number, min: number) {
    super(
      'invalid',
      `Unable to allocate subnet with prefix length ${prefix}, minimum allowed prefix is ${min}.`,
    );
  }
}

export class MaxPrefixSubnetAllocationError extends DomainError {
  constructor(prefix: number, max: number) {
    super(
      'invalid',
      `Unable to allocate subnet with prefix length ${prefix}, maximum allowed prefix is ${max}.`,
    );
  }
}

/** Neutron answers 500, although it is not a fault of the service. */
export class SubnetAllocationError extends DomainError {
  constructor(reason: string) {
    super('conflict', `Failed to allocate subnet: ${reason}.`);
  }
}

export class SubnetPoolQuotaExceededError extends DomainError {
  constructor() {
    super('conflict', 'Per-project subnet pool prefix quota exceeded.');
  }
}

export class NetworkSubnetPoolAffinityError extends DomainError {
  constructor() {
    super(
      'invalid',
      'Subnets hosted on the same network must be allocated from the same subnet pool.',
    );
  }
}

export class NotAuthorizedError extends DomainError {
  constructor() {
    super('forbidden', 'Not authorized.');
  }
}
