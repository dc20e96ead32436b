/** Locks that keep a project's members from changing a server. Public source: Nova API guide, "Server actions: Lock". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from './server.entity.js';
import { ServerLockedError } from './server.errors.js';

/** @throws ServerLockedError for everyone but administrators, where the server is locked */
export function requireUnlocked(
  ctx: RequestContext,
  { id, lockedBy }: Pick<Server, 'id' | 'lockedBy'>,
): void {
  if (lockedBy !== null && !ctx.isAdmin) throw new ServerLockedError(id);
}

/** By whom a lock of this caller's is, and whose it takes to end it. */
export function lockerOf(ctx: RequestContext, { projectId }: Server): 'owner' | 'admin' {
  return ctx.fields.projectId === projectId ? 'owner' : 'admin';
}
