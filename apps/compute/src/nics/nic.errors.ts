/** What can go wrong with the networks of servers, in Nova's words. */
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class NoNetworkServiceError extends InvalidInputError {
  constructor(what: string) {
    super(`Invalid input: ${what} needs the network service, which this cloud does not run.`);
  }
}

export class NetworkAmbiguousError extends DomainError {
  constructor() {
    super('conflict', 'Multiple possible networks found, use a Network ID to be more specific.');
  }
}

/** @param kind what a request answers: 400 where it creates a server */
export class NetworkNotFoundError extends DomainError {
  constructor(ids: readonly string[], kind: 'invalid' | 'not-found' = 'invalid') {
    super(kind, `Network ${ids.join(', ')} could not be found.`);
  }
}

export class NoNetworkAvailableError extends InvalidInputError {
  constructor(projectId: string) {
    super(`No specific network was requested and none are available for project '${projectId}'.`);
  }
}

export class NetworkRequiresSubnetError extends InvalidInputError {
  constructor(id: string) {
    super(`Network ${id} requires a subnet in order to boot instances on.`);
  }
}

export class ExternalNetworkAttachForbiddenError extends DomainError {
  constructor(id: string) {
    super('forbidden', `It is not allowed to create an interface on external network ${id}`);
  }
}

export class UnableToAutoAllocateNetworkError extends InvalidInputError {
  constructor(projectId: string) {
    super(`Unable to automatically allocate a network for project ${projectId}`);
  }
}

export class PortNotFoundError extends DomainError {
  constructor(id: string, kind: 'invalid' | 'not-found' = 'invalid') {
    super(kind, `Port id ${id} could not be found.`);
  }
}

/** Nova answers 500 here, whose reason would be kept from the caller. */
export class InterfaceAttachFailedError extends DomainError {
  constructor(serverId: string, reason = 'Its actions say why.') {
    super('conflict', `Failed to attach network adapter device to ${serverId}. ${reason}`);
  }
}

export class PortInUseError extends DomainError {
  constructor(id: string) {
    super('conflict', `Port ${id} is still in use.`);
  }
}

export class PortNotUsableError extends InvalidInputError {
  constructor(id: string, serverId: string) {
    super(`Port ${id} not usable for instance ${serverId}.`);
  }
}

export class PortNotUsableDnsError extends InvalidInputError {
  constructor(id: string, serverId: string, dnsName: string, hostname: string) {
    super(
      `Port ${id} not usable for instance ${serverId}. Value ${dnsName} assigned to dns_name attribute does not match instance's hostname ${hostname}`,
    );
  }
}

export class PortRequiresFixedIpError extends InvalidInputError {
  constructor(id: string) {
    super(`Port ${id} requires a FixedIP in order to be used.`);
  }
}

/** @param serverId undefined where it is nobody's business */
export class FixedIpAlreadyInUseError extends DomainError {
  constructor(address: string, serverId: string | undefined, kind: 'invalid' | 'conflict') {
    const on = serverId
      ? `Fixed IP address ${address} is already in use on instance ${serverId}.`
      : `Fixed IP ${address} is already in use.`;
    super(kind, on);
  }
}

export class InvalidFixedIpError extends InvalidInputError {
  constructor(address: string, networkId: string) {
    super(
      `Invalid input received: Fixed IP ${address} is not a valid ip address for network ${networkId}.`,
    );
  }
}

export class PortLimitExceededError extends DomainError {
  constructor() {
    super('forbidden', 'Maximum number of ports exceeded');
  }
}

export class SecurityGroupNotFoundError extends DomainError {
  constructor(name: string, kind: 'invalid' | 'not-found' = 'invalid') {
    super(kind, `Security group ${name} not found.`);
  }
}

export class SecurityGroupAmbiguousError extends DomainError {
  constructor(name: string) {
    super(
      'conflict',
      `Multiple security groups found matching '${name}'. Use an ID to be more specific.`,
    );
  }
}

export class SecurityGroupCannotBeAppliedError extends InvalidInputError {
  constructor() {
    super(
      'Network requires port_security_enabled and subnet associated in order to apply security groups.',
    );
  }
}

/** The host would not have the port. @param why in the words of the network service */
export class PortBindingFailedError extends DomainError {
  constructor(id: string, why: string) {
    super('conflict', `Binding failed for port ${id}: ${why}`);
  }
}

export class InterfaceNotFoundError extends DomainError {
  constructor(serverId: string, portId: string) {
    super('not-found', `Instance ${serverId} does not have a port with id ${portId}`);
  }
}

export class SecurityGroupNotAssociatedError extends DomainError {
  constructor(name: string, serverId: string) {
    super('not-found', `Security group ${name} not associated with the instance ${serverId}`);
  }
}

export class NoPortsError extends DomainError {
  constructor(serverId: string) {
    super('not-found', `instance_id ${serverId} could not be found as device id on any ports`);
  }
}

export class NetworkNotFoundForInstanceError extends DomainError {
  constructor(serverId: string) {
    super('not-found', `Network could not be found for instance ${serverId}.`);
  }
}

export class FloatingIpNotFoundError extends DomainError {
  constructor() {
    super('not-found', 'floating IP not found');
  }
}

export class FloatingIpNotAssociatedError extends DomainError {
  constructor(address: string, serverId: string) {
    super('conflict', `Floating IP ${address} is not associated with instance ${serverId}.`);
  }
}
