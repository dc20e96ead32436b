import { ObjectField, StringField, UuidField } from '@cumulet/common/http/fields';
import { rebuiltServerView } from '../servers/server.view.js';
import { RebuildBody } from './rebuild/rebuild.dto.js';
import { defineAction, bareBody } from './server-action.js';

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

export class RescueDto {
  @StringField({ optional: true })
  adminPass?: string;

  @UuidField({ optional: true, description: "What it boots; the server's own image by default." })
  rescue_image_ref?: string;
}

export class RescueBody {
  @ObjectField(() => RescueDto, { nullable: true })
  rescue: RescueDto | null;
}

/** Nova API reference, "Rescue Server (rescue Action)": it answers 200 with the password. */
export const rescueAction = defineAction<RescueBody>({
  name: 'rescue',
  body: RescueBody,
  events: ['rescue'],
  status: 200,
  async run(ctx, server, { rescue }, { rescues }) {
    return { adminPass: await rescues.rescue(ctx, server, rescue ?? {}) };
  },
});

/** Nova API reference, "Unrescue Server (unrescue Action)". */
export const unrescueAction = defineAction({
  name: 'unrescue',
  body: bareBody('unrescue'),
  events: ['unrescue'],
});
