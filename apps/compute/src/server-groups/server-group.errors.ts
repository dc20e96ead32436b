/** Refusals about server groups, in Nova's words. Public source: nova, `exception.py`. */
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class ServerGroupNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Instance group ${id} could not be found.`);
  }
}

/** A server cannot be created in it. */
export class InvalidServerGroupError extends InvalidInputError {
  constructor(id: string) {
    super(`Instance group ${id} could not be found.`);
  }
}

export class TooManyServersInGroupError extends DomainError {
  constructor() {
    super('forbidden', 'Quota exceeded, too many servers in group');
  }
}

export class TooManyServerGroupsError extends DomainError {
  constructor(cause: unknown) {
    super('forbidden', 'Quota exceeded, too many server groups.', { cause });
  }
}
