import { DomainError } from '@cumulet/common/errors/domain-error';

export class PortForwardingNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Port Forwarding ${String(id)} could not be found.`);
  }
}

export class PortHasBindingFloatingIPError extends DomainError {
  constructor(address: string, id: string, portId: string, fixedIp: string) {
    super(
      'conflict',
      `Cannot create port forwarding to floating IP ${address} (${id}) with port ${portId} using fixed IP ${fixedIp}, as that port already has a binding floating IP.`,
    );
  }
}
