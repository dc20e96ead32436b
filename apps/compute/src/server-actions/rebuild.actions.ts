import { ObjectField, StringField, UuidField } from '@cumulet/common/http/fields';
import { rebuiltServerView } from '../servers/server.view.js';
import { RebuildBody } from './rebuild/rebuild.dto.js';
import { defineAction, bareBody } from './server-action.js';
import { ServersService } from '../servers/servers.service.js';
import { RebuildService } from './rebuild/rebuild.service.js';
import { HostStatuses } from '../hosts/host.repository.js';
import { RescueService } from './rescue/rescue.service.js';

/** Nova API reference, "Rebuild Server (rebuild Action)": it answers with the server. */
export const rebuildAction = defineAction<RebuildBody>({
  name: 'rebuild',
  body: RebuildBody,
  events: ['rebuild'],
  async run(ctx, server, { rebuild }, use) {
    const adminPass = await use(RebuildService).rebuild(ctx, server, rebuild);
    const now = await use(ServersService).get(ctx, server.id);
    return { server: rebuiltServerView(ctx, now, await use(HostStatuses).of(ctx), adminPass) };
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
  async run(ctx, server, { rescue }, use) {
    return { adminPass: await use(RescueService).rescue(ctx, server, rescue ?? {}) };
  },
});

/** Nova API reference, "Unrescue Server (unrescue Action)". */
export const unrescueAction = defineAction({
  name: 'unrescue',
  body: bareBody('unrescue'),
  events: ['unrescue'],
});
