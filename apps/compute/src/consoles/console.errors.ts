/** Refusals about consoles, in Nova's words. Public source: nova, `exception.py`. */
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class ConsoleTokenNotFoundError extends DomainError {
  constructor() {
    super('not-found', 'Token not found');
  }
}

export class ConsoleTypeUnavailableError extends InvalidInputError {
  constructor(type: string) {
    super(`Unavailable console type ${type}.`);
  }
}

export class ConsoleTypeInvalidError extends InvalidInputError {
  constructor(type: string) {
    super(`Invalid console type ${type}`);
  }
}

export class InstanceNotReadyError extends DomainError {
  constructor(id: string) {
    super('conflict', `Instance ${id} is not ready`);
  }
}
