/**
 * What delegated callers may do with credentials, whatever their roles: those of an administrator
 * too. Public source: Keystone's source, `keystone/api/credentials.py`, on delegated tokens.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isRestricted } from '../policy/personas.js';
import { DelegatedWriteError, ForeignProjectError } from './credential.errors.js';

/** The one project whose credentials the caller reaches; undefined where it reaches those of all. */
export function reachOf({ fields }: RequestContext): string | undefined {
  return fields.delegation === undefined ? undefined : (fields.projectId ?? '');
}

/** @throws ForeignProjectError where a delegated token is of another project than the credential */
export function refuseForeignProject(ctx: RequestContext, projectId: string | null): void {
  const reach = reachOf(ctx);
  if (reach !== undefined && reach !== projectId) throw new ForeignProjectError(projectId);
}

/**
 * @throws DelegatedWriteError for a token of a trust or a restricted application credential
 * @throws ForeignProjectError as above
 */
export function refuseWriting(ctx: RequestContext, projectId: string | null): void {
  if (isRestricted(ctx)) throw new DelegatedWriteError();
  refuseForeignProject(ctx, projectId);
}
