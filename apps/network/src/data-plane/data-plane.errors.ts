import { DomainError } from '@cumulet/common/errors/domain-error';

/** A port, a router or a balancer came before its network, which is on its way. */
export class NetworkNotThereError extends DomainError {
  constructor(networkId: string) {
    super('transient', `The data plane does not have the network ${networkId} yet.`);
  }
}

/** A port came before a subnet that its network has just got. */
export class SubnetNotThereError extends DomainError {
  constructor(id: string) {
    super('transient', `The data plane does not have the subnet ${id} yet.`);
  }
}

/** A port came before one of its security groups. */
export class SecurityGroupNotThereError extends DomainError {
  constructor(id: string) {
    super('transient', `The data plane does not have the security group ${id} yet.`);
  }
}

/** A network went before its ports, or those that routers have there. */
export class NetworkHasPortsError extends DomainError {
  constructor(networkId: string) {
    super('transient', `The data plane still has ports of the network ${networkId}.`);
  }
}

/** A port was removed by somebody else while it was told of. */
export class PortNotThereError extends DomainError {
  constructor(id: string) {
    super('transient', `The data plane has lost the port ${id}.`);
  }
}

/** Others have changed the same again and again. */
export class DataPlaneBusyError extends DomainError {
  constructor() {
    super('transient', 'The data plane is being changed by others.');
  }
}

/** QEMU's user-mode network cannot give a guest what the port asks for. */
export class PortNotPossibleError extends DomainError {
  constructor(why: string) {
    super('conflict', `QEMU's user-mode network cannot carry the port: ${why}.`);
  }
}

/** The data plane has no load balancers. */
export class BalancerNotPossibleError extends DomainError {
  constructor() {
    super('conflict', "QEMU's user-mode network has no load balancers.");
  }
}
