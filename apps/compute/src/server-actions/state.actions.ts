import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import { requirePlaced, defineAction, bareBody } from './server-action.js';
import { ServersService } from '../servers/servers.service.js';

export class ResetStateDto {
  @EnumField(['active', 'error'])
  state: 'active' | 'error';
}

export class ResetStateBody {
  @ObjectField(() => ResetStateDto)
  'os-resetState': ResetStateDto;
}

/**
 * Nova API reference, "Reset Server State (os-resetState Action)". Whether the guest of a server that
 * is said to be active runs, its host finds out within seconds.
 */
export const resetStateAction = defineAction<ResetStateBody>({
  name: 'os-resetState',
  body: ResetStateBody,
  role: 'admin',
  events: ['reset-to-active', 'reset-to-error'],
  evenUnplaced: true,
  async run(ctx, server, body, use) {
    const { state } = body['os-resetState'];
    if (state === 'error') {
      const reason = 'An administrator declared that it has failed.';
      await use(ServersService).change(ctx, server, 'reset-to-error', 'os-resetState', { reason });
    } else {
      requirePlaced(server, 'os-resetState');
      await use(ServersService).change(ctx, server, 'reset-to-active', 'os-resetState');
    }
    return undefined;
  },
});

/**
 * Nova API reference, "Force-Delete Server (forceDelete Action)": a delete like any other, since none is
 * put off here, so that there is nothing to hurry and nothing to bring back.
 */
export const forceDeleteAction = defineAction({
  name: 'forceDelete',
  body: bareBody('forceDelete'),
  evenUnplaced: true,
  async run(ctx, server, _body, use) {
    await use(ServersService).delete(ctx, server.id);
    return undefined;
  },
});

/** Nova API reference, "Restore Soft-Deleted Instance (restore Action)". */
export const restoreAction = defineAction({
  name: 'restore',
  body: bareBody('restore'),
  states: [],
});
