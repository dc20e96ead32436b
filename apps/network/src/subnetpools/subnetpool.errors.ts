import { notFound, invalid, conflict, forbidden } from '@cumulet/common/errors/domain-error';

export class SubnetPoolNotFoundError extends notFound(
  (id: unknown) => `Subnet pool ${String(id)} could not be found.`,
) {}

export class SubnetPoolDeleteError extends invalid(
  'Unable to delete subnet pool: Subnet pool has existing allocations.',
) {}

export class EmptySubnetPoolPrefixListError extends invalid('Empty subnet pool prefix list.') {}

export class PrefixVersionMismatchError extends invalid(
  'Cannot mix IPv4 and IPv6 prefixes in a subnet pool.',
) {}

export class IllegalSubnetPoolPrefixBoundsError extends invalid(
  (bound: string, value: number, base: string, limit: number) =>
    `Illegal prefix bounds: ${bound}=${value}, ${base}=${limit}.`,
) {}

export class IllegalSubnetPoolPrefixUpdateError extends invalid(
  (reason: string) => `Illegal update to prefixes: ${reason}.`,
) {}

export class IllegalSubnetPoolUpdateError extends invalid(
  (reason: string) => `Illegal subnetpool update : ${reason}.`,
) {}

export class IllegalSubnetPoolIpVersionAssociationToAddressScopeError extends invalid(
  (poolId: string, scopeId: string, version: number) =>
    `Illegal subnetpool association: subnetpool ${poolId} cannot associate with address scope ${scopeId} because subnetpool ip_version is not ${version}.`,
) {}

export class AddressScopePrefixConflictError extends conflict(
  'Failed to associate address scope: subnetpools within an address scope must have unique prefixes.',
) {}

export class MinPrefixSubnetAllocationError extends invalid(
  (prefix: number, min: number) =>
    `Unable to allocate subnet with prefix length ${prefix}, minimum allowed prefix is ${min}.`,
) {}

export class MaxPrefixSubnetAllocationError extends invalid(
  (prefix: number, max: number) =>
    `Unable to allocate subnet with prefix length ${prefix}, maximum allowed prefix is ${max}.`,
) {}

/** Neutron answers 500, although it is not a fault of the service. */
export class SubnetAllocationError extends conflict(
  (reason: string) => `Failed to allocate subnet: ${reason}.`,
) {}

export class SubnetPoolQuotaExceededError extends conflict(
  'Per-project subnet pool prefix quota exceeded.',
) {}

export class NetworkSubnetPoolAffinityError extends invalid(
  'Subnets hosted on the same network must be allocated from the same subnet pool.',
) {}

export class NotAuthorizedError extends forbidden('Not authorized.') {}
