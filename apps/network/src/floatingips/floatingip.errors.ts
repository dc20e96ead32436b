import { DomainError, notFound, invalid, conflict } from '@cumulet/common/errors/domain-error';

export class FloatingIPNotFoundError extends notFound(
  (id: unknown) => `Floating IP ${String(id)} could not be found`,
) {}

export class ExternalGatewayForFloatingIPNotFoundError extends notFound(
  (networkId: string, subnetId: string, portId: string) =>
    `External network ${networkId} is not reachable from subnet ${subnetId}. Therefore, cannot associate Port ${portId} with a Floating IP.`,
) {}

export interface Association {
  readonly id: string;
  readonly floatingIpAddress: string;
  readonly floatingNetworkId: string;
  readonly portId: string;
  readonly fixedIpAddress: string;
}

export class FloatingIPPortAlreadyAssociatedError extends DomainError {
  constructor(wanted: Association) {
    const { id, floatingIpAddress, floatingNetworkId, portId, fixedIpAddress } = wanted;
    super(
      'conflict',
      `Cannot associate floating IP ${floatingIpAddress} (${id}) with port ${portId} using fixed IP ${fixedIpAddress}, as that fixed IP already has a floating IP on external network ${floatingNetworkId}.`,
    );
  }
}

export class ExternalIpAddressExhaustedError extends invalid(
  (networkId: string) => `Unable to find any IP address on external network ${networkId}.`,
) {}

/** An administrator has associated it, so only an administrator may disassociate it. */
export class FipAssociatedError extends conflict(
  (portId: string) =>
    `Unable to complete the operation on port ${portId} because the port still has an associated floating IP.`,
) {}

export class FipInUseByPortForwardingError extends conflict(
  (id: string) => `Floating IP ${id} in use by Port Forwarding resources.`,
) {}
