import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { flagOf, type Query } from './query.js';

/**
 * Whether a list is of all projects, as administrators may ask.
 * @throws ForbiddenError where another asks
 */
export function isOfAllProjects({ isAdmin }: RequestContext, query: Query): boolean {
  if (!flagOf(query, 'global_tenant')) return false;
  if (isAdmin) return true;
  throw new ForbiddenError('global_tenant needs the role admin.');
}
