import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class PortForwardingNotFoundError extends notFound(
  (id: unknown) => `Port Forwarding ${String(id)} could not be found.`,
) {}

export class PortHasBindingFloatingIPError extends conflict(
  (address: string, id: string, portId: string, fixedIp: string) =>
    `Cannot create port forwarding to floating IP ${address} (${id}) with port ${portId} using fixed IP ${fixedIp}, as that port already has a binding floating IP.`,
) {}
