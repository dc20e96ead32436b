import { DomainError } from '@cumulet/common/errors/domain-error';

export class BalancerNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Balancer ${id} could not be found.`);
  }
}

/** The balancer is being removed and cannot be created anew until it is gone. */
export class BalancerInUseError extends DomainError {
  constructor(id: string) {
    super('conflict', `Balancer ${id} is being removed.`);
  }
}

/** The port of the balancer has been deleted, so it has no addresses. */
export class BalancerWithoutPortError extends DomainError {
  constructor(id: string) {
    super('conflict', `The port ${id}, which holds the balancer's addresses, no longer exists.`);
  }
}
