import { DomainError } from '@cumulet/common/errors/domain-error';

export class SubnetNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Subnet ${String(id)} could not be found.`);
  }
}

export class SubnetInUseError extends DomainError {
  constructor(id: string, reason = 'One or more ports have an IP allocation from this subnet') {
    super('conflict', `Unable to complete operation on subnet ${id}: ${reason}.`);
  }
}

export class InvalidAllocationPoolError extends DomainError {
  constructor(pool: string) {
    super('invalid', `The allocation pool ${pool} is not valid.`);
  }
}

export class OutOfBoundsAllocationPoolError extends DomainError {
  constructor(pool: string, cidr: string) {
    super('invalid', `The allocation pool ${pool} spans beyond the subnet cidr ${cidr}.`);
  }
}

export class OverlappingAllocationPoolsError extends DomainError {
  constructor(one: string, other: string, cidr: string) {
    super('conflict', `Found overlapping allocation pools: ${one} ${other} for subnet ${cidr}.`);
  }
}

export class GatewayConflictWithAllocationPoolsError extends DomainError {
  constructor(gateway: string, pool: string) {
    super('conflict', `Gateway ip ${gateway} conflicts with allocation pool ${pool}.`);
  }
}

/** Neutron answers 409. */
export class IpamValueInvalidError extends DomainError {
  constructor(gateway: string, cidr: string) {
    super(
      'conflict',
      `Gateway IP ${gateway} cannot be the network or broadcast IP address ${cidr}; give another, or null for none.`,
    );
  }
}

export class GatewayIpInUseError extends DomainError {
  constructor(gateway: string, portId: string) {
    super(
      'conflict',
      `Current gateway ip ${gateway} already in use by port ${portId}. Unable to update.`,
    );
  }
}

export class DNSNameServersExhaustedError extends DomainError {
  constructor(id: string, quota: number) {
    super(
      'invalid',
      `Unable to complete operation for ${id}. The number of DNS nameservers exceeds the limit ${quota}.`,
    );
  }
}

export class HostRoutesExhaustedError extends DomainError {
  constructor(id: string, quota: number) {
    super(
      'invalid',
      `Unable to complete operation for ${id}. The number of host routes exceeds the limit ${quota}.`,
    );
  }
}

export class InvalidSubnetServiceTypeError extends DomainError {
  constructor(type: string) {
    super('invalid', `Subnet service type ${type} does not correspond to a valid device owner.`);
  }
}
