/** Public source: Nova API reference, "Servers - run an action", shelving. */
import { SHELVE_EVENTS } from '../snapshots/snapshots.service.js';
import { bareBody, defineAction } from './server-action.js';

/** Nova API reference, "Shelve Server (shelve Action)". */
export const shelveAction = defineAction({
  name: 'shelve',
  body: bareBody('shelve'),
  events: [...new Set(Object.values(SHELVE_EVENTS))],
  async run(ctx, server, _body, { snapshots }) {
    await snapshots.shelve(ctx, server);
    return undefined;
  },
});

/** Nova API reference, "Shelf-Offload (Remove) Server (shelveOffload Action)". */
export const shelveOffloadAction = defineAction({
  name: 'shelveOffload',
  body: bareBody('shelveOffload'),
  role: 'admin',
  events: ['shelve-offload'],
});

/** Nova API reference, "Unshelve (Restore) Shelved Server (unshelve Action)". */
export const unshelveAction = defineAction({
  name: 'unshelve',
  body: bareBody('unshelve'),
  events: ['unshelve', 'unshelve-here'],
  async run(ctx, server, _body, { servers }) {
    const image = server.snapshot?.bootImage;
    if (server.state === 'shelved') await servers.change(ctx, server, 'unshelve-here', 'unshelve');
    else await servers.change(ctx, server, 'unshelve', 'unshelve', { set: image ? { image } : {} });
    return undefined;
  },
});
