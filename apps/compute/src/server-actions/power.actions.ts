/** Power, locks and states. Public source: Nova API reference, "Servers - run an action". */
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { refuseBefore } from '../versions/microversions.js';
import { lockerOf } from '../servers/server-status.js';
import { ServersService } from '../servers/servers.service.js';
import { defineAction, requirePlaced } from './server-action.js';

class RebootDto {
  @EnumField(['SOFT', 'HARD', 'Soft', 'Hard', 'soft', 'hard'])
  type: string;
}

export const POWER_ACTIONS = [
  defineAction({ name: 'os-start', verb: 'start', events: ['start'] }),
  defineAction({ name: 'os-stop', verb: 'stop', events: ['stop'] }),
  defineAction({
    name: 'reboot',
    takes: RebootDto,
    events: ['reboot', 'hard-reboot'],
    run(ctx, server, { type }, use) {
      const event = type.toUpperCase() === 'HARD' ? 'hard-reboot' : 'reboot';
      return use(ServersService).change(ctx, server, event, 'reboot');
    },
  }),
  defineAction({ name: 'pause', events: ['pause'] }),
  defineAction({ name: 'unpause', events: ['unpause'] }),
  defineAction({ name: 'suspend', events: ['suspend'] }),
  defineAction({ name: 'resume', events: ['resume'] }),
];

class LockDto {
  @StringField({ optional: true, description: 'Since 2.73.' })
  locked_reason?: string;
}

export const LOCK_ACTIONS = [
  defineAction({
    name: 'lock',
    takes: LockDto,
    nullable: true,
    evenLocked: true,
    evenUnplaced: true,
    run(ctx, server, { locked_reason: reason }, use) {
      if (reason !== undefined) refuseBefore(ctx, 73, 'lock.locked_reason');
      return use(ServersService).lock(ctx, server, reason ?? null);
    },
  }),
  defineAction({
    name: 'unlock',
    evenLocked: true,
    evenUnplaced: true,
    run(ctx, server, _dto, use) {
      if (server.lockedBy === 'admin' && lockerOf(ctx, server) === 'owner' && !ctx.isAdmin)
        throw new ForbiddenError(
          `Instance ${server.id} was locked by an administrator; to unlock it needs the role admin.`,
        );
      return use(ServersService).unlock(ctx, server);
    },
  }),
];

class ResetStateDto {
  @EnumField(['active', 'error'])
  state: 'active' | 'error';
}

export const STATE_ACTIONS = [
  // The host finds out within seconds whether the guest really runs.
  defineAction({
    name: 'os-resetState',
    takes: ResetStateDto,
    role: 'admin',
    events: ['reset-to-active', 'reset-to-error'],
    evenUnplaced: true,
    run(ctx, server, { state }, use) {
      const servers = use(ServersService);
      if (state === 'error') {
        const reason = 'An administrator declared that it has failed.';
        return servers.change(ctx, server, 'reset-to-error', 'os-resetState', { reason });
      }
      requirePlaced(server, 'os-resetState');
      return servers.change(ctx, server, 'reset-to-active', 'os-resetState');
    },
  }),
  // Deletes are never deferred here: this is an ordinary one, and there is nothing to restore.
  defineAction({
    name: 'forceDelete',
    evenUnplaced: true,
    run: (ctx, server, _dto, use) => use(ServersService).delete(ctx, server.id),
  }),
  defineAction({ name: 'restore', states: [] }),
];
