import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { lockerOf } from '../servers/server-lock.js';
import { bareBody, defineAction } from './server-action.js';

/** Nova API reference, "Unlock Server (unlock Action)". */
export const unlockAction = defineAction({
  name: 'unlock',
  body: bareBody('unlock'),
  evenLocked: true,
  evenUnplaced: true,
  async run(ctx, server, _body, { servers }) {
    if (server.lockedBy === 'admin' && lockerOf(ctx, server) === 'owner' && !ctx.isAdmin)
      throw new ForbiddenError(
        `Instance ${server.id} was locked by an administrator; to unlock it needs the role admin.`,
      );
    await servers.unlock(ctx, server);
    return undefined;
  },
});
