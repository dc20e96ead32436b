import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';

export class ServiceNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find service: ${id}.`);
  }
}

export class ServiceInUseError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot delete the service ${id}: it has registered limits.`);
  }
}
