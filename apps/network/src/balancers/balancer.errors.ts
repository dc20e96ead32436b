import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class BalancerNotFoundError extends notFound(
  (id: string) => `Balancer ${id} could not be found.`,
) {}

/** The balancer is being removed and cannot be created anew until it is gone. */
export class BalancerInUseError extends conflict(
  (id: string) => `Balancer ${id} is being removed.`,
) {}

/** The port of the balancer has been deleted, so it has no addresses. */
export class BalancerWithoutPortError extends conflict(
  (id: string) => `The port ${id}, which holds the balancer's addresses, no longer exists.`,
) {}
