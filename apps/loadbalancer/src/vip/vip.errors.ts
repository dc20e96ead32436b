/** What becomes of load balancers whose addresses the network refuses. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** Somebody else has the port that the load balancer was given. */
export class VipPortInUseError extends DomainError {
  constructor(id: string, deviceId: string) {
    super('conflict', `Port ${id} is already used by device ${deviceId}.`);
  }
}

export class VipPortMissingError extends DomainError {
  constructor(id: string) {
    super('conflict', `Port ${id}, which the VIP was given, is no longer there.`);
  }
}

/** Its host cannot have it. */
export class VipBindingFailedError extends DomainError {
  constructor(id: string, reason: string) {
    super('conflict', `The VIP's port ${id} cannot be on its host: ${reason}`);
  }
}

/** It may be about to say that it is there. */
export class VipHostUnknownError extends DomainError {
  constructor(host: string) {
    super('transient', `The network service knows of no host ${host} that carries its networks.`);
  }
}
