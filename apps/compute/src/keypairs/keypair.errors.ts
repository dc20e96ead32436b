/** Refusals about key pairs, in Nova's words. Public source: nova, `exception.py`. */
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class KeypairNotFoundError extends DomainError {
  constructor(name: string, userId: string) {
    super('not-found', `Keypair ${name} not found for user ${userId}`);
  }
}

export class KeypairExistsError extends DomainError {
  constructor(name: string) {
    super('conflict', `Key pair '${name}' already exists.`);
  }
}

export class InvalidKeypairError extends InvalidInputError {
  constructor(reason: string) {
    super(`Keypair data is invalid: ${reason}`);
  }
}

/** Nova answers 403, as of every quota. */
export class TooManyKeypairsError extends ForbiddenError {
  constructor(limit: number) {
    super(`Quota exceeded, too many key pairs: ${limit} are allowed for each user.`);
  }
}
