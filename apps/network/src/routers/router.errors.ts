import { DomainError } from '@cumulet/common/errors/domain-error';

export class RouterNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Router ${String(id)} could not be found`);
  }
}

export class RouterInUseError extends DomainError {
  constructor(id: string, portIds: readonly string[]) {
    super('conflict', `Router ${id} has ports still attached: ${portIds.join(', ')}`);
  }
}

export class RouterInterfaceNotFoundError extends DomainError {
  constructor(id: string, portId: string) {
    super('not-found', `Router ${id} does not have an interface with id ${portId}`);
  }
}

export class RouterInterfaceNotFoundForSubnetError extends DomainError {
  constructor(id: string, subnetId: string) {
    super('not-found', `Router ${id} has no interface on subnet ${subnetId}`);
  }
}

export class RouterInterfaceInUseByFloatingIPError extends DomainError {
  constructor(id: string, subnetId: string) {
    super(
      'conflict',
      `Router interface for subnet ${subnetId} on router ${id} cannot be deleted, as it is required by one or more floating IPs.`,
    );
  }
}

export class RouterInterfaceInUseByRouteError extends DomainError {
  constructor(id: string, subnetId: string) {
    super(
      'conflict',
      `Router interface for subnet ${subnetId} on router ${id} cannot be deleted, as it is required by one or more routes.`,
    );
  }
}

export class RouterExternalGatewayInUseByFloatingIpError extends DomainError {
  constructor(id: string, networkId: string) {
    super(
      'conflict',
      `Gateway cannot be updated for router ${id}, since a gateway to external network ${networkId} is required by one or more floating IPs.`,
    );
  }
}

export class InvalidRoutesError extends DomainError {
  constructor(routes: unknown, reason: string) {
    super('invalid', `Invalid format for routes: ${JSON.stringify(routes)}, ${reason}`);
  }
}

export class RoutesExhaustedError extends DomainError {
  constructor(id: string, max: number) {
    super(
      'invalid',
      `Unable to complete operation for ${id}. The number of routes exceeds the maximum ${max}.`,
    );
  }
}

export class UnableToRemoveGatewaysError extends DomainError {
  constructor(id: string, reason: string) {
    super('invalid', `Unable to remove extra gateways from a router ${id}: ${reason}`);
  }
}

export class UnableToMatchGatewaysError extends DomainError {
  constructor(id: string, reason: string) {
    super(
      'invalid',
      `Unable to match a requested gateway port to existing gateway ports for router ${id}: ${reason}`,
    );
  }
}

export class SubnetMismatchForPortError extends DomainError {
  constructor(portId: string, subnetId: string) {
    super('invalid', `Subnet on port ${portId} does not match the requested subnet ${subnetId}.`);
  }
}
