/** Refusals about server groups, in Nova's words. Public source: nova, `exception.py`. */
import { DomainError, notFound, invalid, forbidden } from '@cumulet/common/errors/domain-error';

export class ServerGroupNotFoundError extends notFound(
  (id: string) => `Instance group ${id} could not be found.`,
) {}

/** A server cannot be created in it. */
export class InvalidServerGroupError extends invalid(
  (id: string) => `Instance group ${id} could not be found.`,
) {}

export class TooManyServersInGroupError extends forbidden(
  'Quota exceeded, too many servers in group',
) {}

export class TooManyServerGroupsError extends DomainError {
  constructor(cause: unknown) {
    super('forbidden', 'Quota exceeded, too many server groups.', { cause });
  }
}
