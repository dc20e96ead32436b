import { DomainError, notFound, invalid, conflict } from '@cumulet/common/errors/domain-error';

export class SubnetNotFoundError extends notFound(
  (id: unknown) => `Subnet ${String(id)} could not be found.`,
) {}

export class SubnetInUseError extends DomainError {
  constructor(id: string, reason = 'One or more ports have an IP allocation from this subnet') {
    super('conflict', `Unable to complete operation on subnet ${id}: ${reason}.`);
  }
}

export class InvalidAllocationPoolError extends invalid(
  (pool: string) => `The allocation pool ${pool} is not valid.`,
) {}

export class OutOfBoundsAllocationPoolError extends invalid(
  (pool: string, cidr: string) =>
    `The allocation pool ${pool} spans beyond the subnet cidr ${cidr}.`,
) {}

export class OverlappingAllocationPoolsError extends conflict(
  (one: string, other: string, cidr: string) =>
    `Found overlapping allocation pools: ${one} ${other} for subnet ${cidr}.`,
) {}

export class GatewayConflictWithAllocationPoolsError extends conflict(
  (gateway: string, pool: string) =>
    `Gateway ip ${gateway} conflicts with allocation pool ${pool}.`,
) {}

/** Neutron answers 409. */
export class IpamValueInvalidError extends conflict(
  (gateway: string, cidr: string) =>
    `Gateway IP ${gateway} cannot be the network or broadcast IP address ${cidr}; give another, or null for none.`,
) {}

export class GatewayIpInUseError extends conflict(
  (gateway: string, portId: string) =>
    `Current gateway ip ${gateway} already in use by port ${portId}. Unable to update.`,
) {}

export class DNSNameServersExhaustedError extends invalid(
  (id: string, quota: number) =>
    `Unable to complete operation for ${id}. The number of DNS nameservers exceeds the limit ${quota}.`,
) {}

export class HostRoutesExhaustedError extends invalid(
  (id: string, quota: number) =>
    `Unable to complete operation for ${id}. The number of host routes exceeds the limit ${quota}.`,
) {}

export class InvalidSubnetServiceTypeError extends invalid(
  (type: string) => `Subnet service type ${type} does not correspond to a valid device owner.`,
) {}
