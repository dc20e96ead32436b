/** Deletes are never put off here, so there is nothing to hurry and nothing to bring back. */
import { bareBody, defineAction } from './server-action.js';

/** Nova API reference, "Force-Delete Server (forceDelete Action)": a delete like any other. */
export const forceDeleteAction = defineAction({
  name: 'forceDelete',
  body: bareBody('forceDelete'),
  evenUnplaced: true,
  async run(ctx, server, _body, { servers }) {
    await servers.delete(ctx, server.id);
    return undefined;
  },
});

/** Nova API reference, "Restore Soft-Deleted Instance (restore Action)". */
export const restoreAction = defineAction({
  name: 'restore',
  body: bareBody('restore'),
  states: [],
});
