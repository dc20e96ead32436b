/** Errors of servers' networks, worded as Nova's. */
import {
  DomainError,
  invalid,
  conflict,
  forbidden,
  notFound,
} from '@cumulet/common/errors/domain-error';

export class NoNetworkServiceError extends invalid(
  (what: string) =>
    `Invalid input: ${what} needs the network service, which this cloud does not run.`,
) {}

export class NetworkAmbiguousError extends conflict(
  'Multiple possible networks found, use a Network ID to be more specific.',
) {}

/** @param kind of the answer: 400 where it creates a server */
export class NetworkNotFoundError extends DomainError {
  constructor(ids: readonly string[], kind: 'invalid' | 'not-found' = 'invalid') {
    super(kind, `Network ${ids.join(', ')} could not be found.`);
  }
}

export class NoNetworkAvailableError extends invalid(
  (projectId: string) =>
    `No specific network was requested and none are available for project '${projectId}'.`,
) {}

export class NetworkRequiresSubnetError extends invalid(
  (id: string) => `Network ${id} requires a subnet in order to boot instances on.`,
) {}

export class ExternalNetworkAttachForbiddenError extends forbidden(
  (id: string) => `It is not allowed to create an interface on external network ${id}`,
) {}

export class UnableToAutoAllocateNetworkError extends invalid(
  (projectId: string) => `Unable to automatically allocate a network for project ${projectId}`,
) {}

export class PortNotFoundError extends DomainError {
  constructor(id: string, kind: 'invalid' | 'not-found' = 'invalid') {
    super(kind, `Port id ${id} could not be found.`);
  }
}

/** Nova answers 500 here, which would hide the reason from the caller. */
export class InterfaceAttachFailedError extends DomainError {
  constructor(serverId: string, reason = 'Its actions say why.') {
    super('conflict', `Failed to attach network adapter device to ${serverId}. ${reason}`);
  }
}

export class PortInUseError extends conflict((id: string) => `Port ${id} is still in use.`) {}

export class PortNotUsableError extends invalid(
  (id: string, serverId: string) => `Port ${id} not usable for instance ${serverId}.`,
) {}

export class PortNotUsableDnsError extends invalid(
  (id: string, serverId: string, dnsName: string, hostname: string) =>
    `Port ${id} not usable for instance ${serverId}. Value ${dnsName} assigned to dns_name attribute does not match instance's hostname ${hostname}`,
) {}

export class PortRequiresFixedIpError extends invalid(
  (id: string) => `Port ${id} requires a FixedIP in order to be used.`,
) {}

/** @param serverId undefined if the caller may not know it */
export class FixedIpAlreadyInUseError extends DomainError {
  constructor(address: string, serverId: string | undefined, kind: 'invalid' | 'conflict') {
    const on = serverId
      ? `Fixed IP address ${address} is already in use on instance ${serverId}.`
      : `Fixed IP ${address} is already in use.`;
    super(kind, on);
  }
}

export class InvalidFixedIpError extends invalid(
  (address: string, networkId: string) =>
    `Invalid input received: Fixed IP ${address} is not a valid ip address for network ${networkId}.`,
) {}

export class PortLimitExceededError extends forbidden('Maximum number of ports exceeded') {}

export class SecurityGroupNotFoundError extends DomainError {
  constructor(name: string, kind: 'invalid' | 'not-found' = 'invalid') {
    super(kind, `Security group ${name} not found.`);
  }
}

export class SecurityGroupAmbiguousError extends conflict(
  (name: string) =>
    `Multiple security groups found matching '${name}'. Use an ID to be more specific.`,
) {}

export class SecurityGroupCannotBeAppliedError extends invalid(
  'Network requires port_security_enabled and subnet associated in order to apply security groups.',
) {}

/** The host refuses the port. @param why in the words of the network service */
export class PortBindingFailedError extends conflict(
  (id: string, why: string) => `Binding failed for port ${id}: ${why}`,
) {}

export class InterfaceNotFoundError extends notFound(
  (serverId: string, portId: string) =>
    `Instance ${serverId} does not have a port with id ${portId}`,
) {}

export class SecurityGroupNotAssociatedError extends notFound(
  (name: string, serverId: string) =>
    `Security group ${name} not associated with the instance ${serverId}`,
) {}

export class NoPortsError extends notFound(
  (serverId: string) => `instance_id ${serverId} could not be found as device id on any ports`,
) {}

export class NetworkNotFoundForInstanceError extends notFound(
  (serverId: string) => `Network could not be found for instance ${serverId}.`,
) {}

export class FloatingIpNotFoundError extends notFound('floating IP not found') {}

export class FloatingIpNotAssociatedError extends conflict(
  (address: string, serverId: string) =>
    `Floating IP ${address} is not associated with instance ${serverId}.`,
) {}
