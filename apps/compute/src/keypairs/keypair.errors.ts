/** Refusals about key pairs, in Nova's words. Public source: nova, `exception.py`. */
import { ForbiddenError, notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

export class KeypairNotFoundError extends notFound(
  (name: string, userId: string) => `Keypair ${name} not found for user ${userId}`,
) {}

export class KeypairExistsError extends conflict(
  (name: string) => `Key pair '${name}' already exists.`,
) {}

export class InvalidKeypairError extends invalid(
  (reason: string) => `Keypair data is invalid: ${reason}`,
) {}

/** 403, as Nova answers for every quota. */
export class TooManyKeypairsError extends ForbiddenError {
  constructor(limit: number) {
    super(`Quota exceeded, too many key pairs: ${limit} are allowed for each user.`);
  }
}
