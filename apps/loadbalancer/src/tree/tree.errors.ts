/** Public source: octavia, `common/exceptions.py`; an error's class is the `type` that clients read. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** The tree is being changed, or goes. */
export class ImmutableObjectError extends DomainError {
  constructor(resource: string, id: string) {
    super('conflict', `${resource} ${id} is immutable and cannot be updated.`);
  }
}

/** @param resource as Octavia calls it: `Load Balancer` */
export class NotFoundError extends DomainError {
  constructor(resource: string, id: string) {
    super('not-found', `${resource} ${id} not found.`);
  }
}

/** A part under a listener that answers by itself. */
export class ListenerNoChildrenError extends DomainError {
  constructor(protocol: string) {
    super('invalid', `Protocol ${protocol} listeners cannot have child objects.`);
  }
}
