import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { refuseBefore } from '../versions/microversions.js';
import { lockerOf } from '../servers/server-status.js';
import { defineAction, bareBody } from './server-action.js';
import { ServersService } from '../servers/servers.service.js';

export class LockDto {
  @StringField({ optional: true, description: 'Since 2.73.' })
  locked_reason?: string;
}

export class LockBody {
  @ObjectField(() => LockDto, { nullable: true })
  lock: LockDto | null;
}

/** Nova API reference, "Lock Server (lock Action)". */
export const lockAction = defineAction<LockBody>({
  name: 'lock',
  body: LockBody,
  evenLocked: true,
  evenUnplaced: true,
  async run(ctx, server, { lock }, use) {
    const reason = lock?.locked_reason;
    if (reason !== undefined) refuseBefore(ctx, 73, 'lock.locked_reason');
    await use(ServersService).lock(ctx, server, reason ?? null);
    return undefined;
  },
});

/** Nova API reference, "Unlock Server (unlock Action)". */
export const unlockAction = defineAction({
  name: 'unlock',
  body: bareBody('unlock'),
  evenLocked: true,
  evenUnplaced: true,
  async run(ctx, server, _body, use) {
    if (server.lockedBy === 'admin' && lockerOf(ctx, server) === 'owner' && !ctx.isAdmin)
      throw new ForbiddenError(
        `Instance ${server.id} was locked by an administrator; to unlock it needs the role admin.`,
      );
    await use(ServersService).unlock(ctx, server);
    return undefined;
  },
});
