import { DomainError } from '@cumulet/common/errors/domain-error';

export class NetworkNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Network ${String(id)} could not be found.`);
  }
}

export class NetworkInUseError extends DomainError {
  constructor(id: string, reason = 'There are one or more ports still in use on the network') {
    super('conflict', `Unable to complete operation on network ${id}. ${reason}.`);
  }
}

export class ExternalNetworkInUseError extends DomainError {
  constructor(id: string) {
    super(
      'conflict',
      `External network ${id} cannot be updated to be made non-external, since it has existing gateway ports.`,
    );
  }
}

export class InvalidSharedSettingError extends DomainError {
  constructor(id: string) {
    super(
      'conflict',
      `Unable to reconfigure sharing settings for network ${id}. Multiple projects are using it.`,
    );
  }
}

export class FlatNetworkInUseError extends DomainError {
  constructor(physicalNetwork: string) {
    super(
      'conflict',
      `Unable to create the flat network. Physical network ${physicalNetwork} is in use.`,
    );
  }
}

export class VlanIdInUseError extends DomainError {
  constructor(vlan: number, physicalNetwork: string) {
    super(
      'conflict',
      `Unable to create the network. The VLAN ${vlan} on physical network ${physicalNetwork} is in use.`,
    );
  }
}

export class TunnelIdInUseError extends DomainError {
  constructor(tunnel: number) {
    super('conflict', `Unable to create the network. The tunnel ID ${tunnel} is in use.`);
  }
}

/** The MTU is too small for the network's subnets. */
export class NetworkMTUSubnetConflictError extends DomainError {
  constructor(id: string, minimum: number) {
    super('conflict', `MTU of ${id} is not valid, subnet requires a minimum of ${minimum}`);
  }
}

export class DefaultExternalNetworkExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `A default external network already exists: ${id}.`);
  }
}
