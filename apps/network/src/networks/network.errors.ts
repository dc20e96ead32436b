import { DomainError, notFound, conflict } from '@cumulet/common/errors/domain-error';

export class NetworkNotFoundError extends notFound(
  (id: unknown) => `Network ${String(id)} could not be found.`,
) {}

export class NetworkInUseError extends DomainError {
  constructor(id: string, reason = 'There are one or more ports still in use on the network') {
    super('conflict', `Unable to complete operation on network ${id}. ${reason}.`);
  }
}

export class ExternalNetworkInUseError extends conflict(
  (id: string) =>
    `External network ${id} cannot be updated to be made non-external, since it has existing gateway ports.`,
) {}

export class InvalidSharedSettingError extends conflict(
  (id: string) =>
    `Unable to reconfigure sharing settings for network ${id}. Multiple projects are using it.`,
) {}

export class FlatNetworkInUseError extends conflict(
  (physicalNetwork: string) =>
    `Unable to create the flat network. Physical network ${physicalNetwork} is in use.`,
) {}

export class VlanIdInUseError extends conflict(
  (vlan: number, physicalNetwork: string) =>
    `Unable to create the network. The VLAN ${vlan} on physical network ${physicalNetwork} is in use.`,
) {}

export class TunnelIdInUseError extends conflict(
  (tunnel: number) => `Unable to create the network. The tunnel ID ${tunnel} is in use.`,
) {}

/** The MTU is too small for the network's subnets. */
export class NetworkMTUSubnetConflictError extends conflict(
  (id: string, minimum: number) =>
    `MTU of ${id} is not valid, subnet requires a minimum of ${minimum}`,
) {}

export class DefaultExternalNetworkExistsError extends conflict(
  (id: string) => `A default external network already exists: ${id}.`,
) {}
