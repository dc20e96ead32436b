import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { refuseBefore } from '../versions/microversions.js';
import { defineAction } from './server-action.js';

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
  async run(ctx, server, { lock }, { servers }) {
    const reason = lock?.locked_reason;
    if (reason !== undefined) refuseBefore(ctx, 73, 'lock.locked_reason');
    await servers.lock(ctx, server, reason ?? null);
    return undefined;
  },
});
