import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

export class RouterNotFoundError extends notFound(
  (id: unknown) => `Router ${String(id)} could not be found`,
) {}

export class RouterInUseError extends conflict(
  (id: string, portIds: readonly string[]) =>
    `Router ${id} has ports still attached: ${portIds.join(', ')}`,
) {}

export class RouterInterfaceNotFoundError extends notFound(
  (id: string, portId: string) => `Router ${id} does not have an interface with id ${portId}`,
) {}

export class RouterInterfaceNotFoundForSubnetError extends notFound(
  (id: string, subnetId: string) => `Router ${id} has no interface on subnet ${subnetId}`,
) {}

export class RouterInterfaceInUseByFloatingIPError extends conflict(
  (id: string, subnetId: string) =>
    `Router interface for subnet ${subnetId} on router ${id} cannot be deleted, as it is required by one or more floating IPs.`,
) {}

export class RouterInterfaceInUseByRouteError extends conflict(
  (id: string, subnetId: string) =>
    `Router interface for subnet ${subnetId} on router ${id} cannot be deleted, as it is required by one or more routes.`,
) {}

export class RouterExternalGatewayInUseByFloatingIpError extends conflict(
  (id: string, networkId: string) =>
    `Gateway cannot be updated for router ${id}, since a gateway to external network ${networkId} is required by one or more floating IPs.`,
) {}

export class InvalidRoutesError extends invalid(
  (routes: unknown, reason: string) =>
    `Invalid format for routes: ${JSON.stringify(routes)}, ${reason}`,
) {}

export class RoutesExhaustedError extends invalid(
  (id: string, max: number) =>
    `Unable to complete operation for ${id}. The number of routes exceeds the maximum ${max}.`,
) {}

export class UnableToRemoveGatewaysError extends invalid(
  (id: string, reason: string) => `Unable to remove extra gateways from a router ${id}: ${reason}`,
) {}

export class UnableToMatchGatewaysError extends invalid(
  (id: string, reason: string) =>
    `Unable to match a requested gateway port to existing gateway ports for router ${id}: ${reason}`,
) {}

export class SubnetMismatchForPortError extends invalid(
  (portId: string, subnetId: string) =>
    `Subnet on port ${portId} does not match the requested subnet ${subnetId}.`,
) {}
