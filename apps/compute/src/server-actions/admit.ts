/** Whether an action is for this caller, and this server as it is now. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { conflictOf } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import { ServerNeverPlacedError } from '../servers/server.errors.js';
import { requireUnlocked } from '../servers/server-lock.js';
import { allowedStates, verbOf, type ServerAction } from './server-action.js';

/**
 * In Nova's order: the role, the lock, the state. The state is looked at again when it changes.
 * @throws ForbiddenError for members, where the action is for administrators
 * @throws ServerLockedError for members, where the server is locked
 * @throws ServerStateConflictError where its state does not allow the action
 * @throws ServerNeverPlacedError for a server in error that no host has: there is nothing to act on
 */
export function admit(ctx: RequestContext, server: Server, action: ServerAction): void {
  if (action.role === 'admin' && !ctx.isAdmin)
    throw new ForbiddenError(`The server action '${action.name}' needs the role admin.`);
  if (!action.evenLocked) requireUnlocked(ctx, server);
  const states = allowedStates(action);
  if (!states.includes(server.state)) throw conflictOf(verbOf(action), server, states);
  if (!action.evenUnplaced) requirePlaced(server, verbOf(action));
}

/** @throws ServerNeverPlacedError for a server in error that no host has */
export function requirePlaced({ id, state, host }: Server, action: string): void {
  if (state === 'error' && host === null) throw new ServerNeverPlacedError(action, id);
}
