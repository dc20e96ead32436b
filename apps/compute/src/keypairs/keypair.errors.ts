/** Refusals about key pairs, in Nova's words. Public source: nova, `exception.py`. */
import { notFound, conflict, invalid, forbidden } from '@cumulet/common/errors/domain-error';

export class KeypairNotFoundError extends notFound(
  (name: string, userId: string) => `Keypair ${name} not found for user ${userId}`,
) {}

export class KeypairExistsError extends conflict(
  (name: string) => `Key pair '${name}' already exists.`,
) {}

export class InvalidKeypairError extends invalid(
  (reason: string) => `Keypair data is invalid: ${reason}`,
) {}

/** Nova answers 403, as of every quota. */
export class TooManyKeypairsError extends forbidden(
  (limit: number) => `Quota exceeded, too many key pairs: ${limit} are allowed for each user.`,
) {}
