import { DomainError } from '@cumulet/common/errors/domain-error';

export class PortNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Port ${String(id)} could not be found.`);
  }
}

/** The port belongs to another resource, such as a router, and is deleted with it. */
export class ServicePortInUseError extends DomainError {
  constructor(id: string, owner: string) {
    super(
      'conflict',
      `Port ${id} cannot be deleted directly via the port API: has device owner ${owner}.`,
    );
  }
}

export class PortInUseError extends DomainError {
  constructor(id: string, networkId: string, deviceId: string) {
    super(
      'conflict',
      `Unable to complete operation on port ${id} for network ${networkId}. Port already has an attached device ${deviceId}.`,
    );
  }
}

export class PortBoundError extends DomainError {
  constructor(id: string, oldMac: string, newMac: string) {
    super(
      'conflict',
      `Unable to complete operation on port ${id}, port is already bound, port type: ovs, old_mac ${oldMac}, new_mac ${newMac}.`,
    );
  }
}

export class MacAddressInUseError extends DomainError {
  constructor(networkId: string, mac: string) {
    super(
      'conflict',
      `Unable to complete operation for network ${networkId}. The mac address ${mac} is in use.`,
    );
  }
}

export class IpAddressInUseError extends DomainError {
  constructor(networkId: string, address: string) {
    super(
      'conflict',
      `Unable to complete operation for network ${networkId}. The IP address ${address} is in use.`,
    );
  }
}

export class IpAddressGenerationFailureError extends DomainError {
  constructor(networkId: string) {
    super('conflict', `No more IP addresses available on network ${networkId}.`);
  }
}

export class IpAddressGenerationFailureNoMatchingSubnetError extends DomainError {
  constructor(networkId: string, owner: string) {
    super(
      'conflict',
      `No valid service subnet for the given device owner, network ${networkId}, service type ${owner}.`,
    );
  }
}

export class InvalidIpForNetworkError extends DomainError {
  constructor(address: string) {
    super(
      'invalid',
      `IP address ${address} is not a valid IP for any of the subnets on the specified network.`,
    );
  }
}

export class InvalidIpForSubnetError extends DomainError {
  constructor(address: string) {
    super('invalid', `IP address ${address} is not a valid IP for the specified subnet.`);
  }
}

export class AllocationOnAutoAddressSubnetError extends DomainError {
  constructor(address: string, subnetId: string) {
    super(
      'invalid',
      `IPv6 address ${address} cannot be directly assigned to a port on subnet ${subnetId} as the subnet is configured for automatic addresses`,
    );
  }
}

export class AddressPairAndPortSecurityRequiredError extends DomainError {
  constructor() {
    super(
      'conflict',
      'Port Security must be enabled in order to have allowed address pairs on a port.',
    );
  }
}

export class AllowedAddressPairExhaustedError extends DomainError {
  constructor(quota: number) {
    super('invalid', `The number of allowed address pair exceeds the maximum ${quota}.`);
  }
}

/** A subnet of loopback addresses; Neutron has no such subnets. */
export class LoopbackSubnetError extends DomainError {
  constructor(id: string, cidr: string) {
    super(
      'invalid',
      `Subnet ${id} (${cidr}) has loopback addresses, which only ports of load balancers can have.`,
    );
  }
}
