import { DomainError } from '@cumulet/common/errors/domain-error';

export class BalancerNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Balancer ${id} could not be found.`);
  }
}

/** It goes, and is not made again. */
export class BalancerInUseError extends DomainError {
  constructor(id: string) {
    super('conflict', `Balancer ${id} is being removed.`);
  }
}

/** Nothing can answer at its addresses. */
export class BalancerWithoutPortError extends DomainError {
  constructor(id: string) {
    super('conflict', `The port ${id}, which keeps its addresses, is gone.`);
  }
}
