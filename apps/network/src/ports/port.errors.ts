import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

export class PortNotFoundError extends notFound(
  (id: unknown) => `Port ${String(id)} could not be found.`,
) {}

/** The port belongs to another resource, such as a router, and is deleted with it. */
export class ServicePortInUseError extends conflict(
  (id: string, owner: string) =>
    `Port ${id} cannot be deleted directly via the port API: has device owner ${owner}.`,
) {}

export class PortInUseError extends conflict(
  (id: string, networkId: string, deviceId: string) =>
    `Unable to complete operation on port ${id} for network ${networkId}. Port already has an attached device ${deviceId}.`,
) {}

export class PortBoundError extends conflict(
  (id: string, oldMac: string, newMac: string) =>
    `Unable to complete operation on port ${id}, port is already bound, port type: ovs, old_mac ${oldMac}, new_mac ${newMac}.`,
) {}

export class MacAddressInUseError extends conflict(
  (networkId: string, mac: string) =>
    `Unable to complete operation for network ${networkId}. The mac address ${mac} is in use.`,
) {}

export class IpAddressInUseError extends conflict(
  (networkId: string, address: string) =>
    `Unable to complete operation for network ${networkId}. The IP address ${address} is in use.`,
) {}

export class IpAddressGenerationFailureError extends conflict(
  (networkId: string) => `No more IP addresses available on network ${networkId}.`,
) {}

export class IpAddressGenerationFailureNoMatchingSubnetError extends conflict(
  (networkId: string, owner: string) =>
    `No valid service subnet for the given device owner, network ${networkId}, service type ${owner}.`,
) {}

export class InvalidIpForNetworkError extends invalid(
  (address: string) =>
    `IP address ${address} is not a valid IP for any of the subnets on the specified network.`,
) {}

export class InvalidIpForSubnetError extends invalid(
  (address: string) => `IP address ${address} is not a valid IP for the specified subnet.`,
) {}

export class AllocationOnAutoAddressSubnetError extends invalid(
  (address: string, subnetId: string) =>
    `IPv6 address ${address} cannot be directly assigned to a port on subnet ${subnetId} as the subnet is configured for automatic addresses`,
) {}

export class AddressPairAndPortSecurityRequiredError extends conflict(
  'Port Security must be enabled in order to have allowed address pairs on a port.',
) {}

export class AllowedAddressPairExhaustedError extends invalid(
  (quota: number) => `The number of allowed address pair exceeds the maximum ${quota}.`,
) {}

/** A subnet of loopback addresses; Neutron has no such subnets. */
export class LoopbackSubnetError extends invalid(
  (id: string, cidr: string) =>
    `Subnet ${id} (${cidr}) has loopback addresses, which only ports of load balancers can have.`,
) {}
