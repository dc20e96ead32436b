import { rebuiltServerView } from '../servers/server.view.js';
import { RebuildBody } from './rebuild/rebuild.dto.js';
import { defineAction } from './server-action.js';

/** Nova API reference, "Rebuild Server (rebuild Action)": it answers with the server. */
export const rebuildAction = defineAction<RebuildBody>({
  name: 'rebuild',
  body: RebuildBody,
  events: ['rebuild'],
  async run(ctx, server, { rebuild }, { servers, rebuilds, hostStatuses }) {
    const adminPass = await rebuilds.rebuild(ctx, server, rebuild);
    const now = await servers.get(ctx, server.id);
    return { server: rebuiltServerView(ctx, now, await hostStatuses.of(ctx), adminPass) };
  },
});
