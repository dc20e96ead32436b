/** Actions that make images (Nova API reference, "Servers - run an action"). */
import { IntegerField, StringField, StringMapField } from '@cumulet/common/http/fields';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { versionOf, refuseBefore } from '../versions/microversions.js';
import { NameField } from '../servers/server.dto.js';
import { SNAPSHOT_EVENTS, SHELVE_EVENTS, SnapshotsService } from './snapshots/snapshots.service.js';
import { defineAction, Location } from './server-action.js';

const events = Object.values(SNAPSHOT_EVENTS);

class CreateImageDto {
  @NameField()
  name: string;

  @StringMapField({ optional: true, maxKeys: 4_096, description: 'The properties of the image.' })
  metadata?: Record<string, string>;
}

class CreateBackupDto extends CreateImageDto {
  @StringField({
    min: 0,
    description: 'The type of the backup, such as daily; each type has its own rotation.',
  })
  backup_type: string;

  @IntegerField({
    fromText: true,
    description: 'The number of backups of the type to keep; older ones are deleted.',
  })
  rotation: number;
}

class UnshelveDto {
  @StringField({
    optional: true,
    nullable: true,
    description: 'The zone to stay in; null for any. Since 2.77, null since 2.91.',
  })
  availability_zone?: string | null;

  @StringField({ optional: true, description: 'The host; only for administrators. Since 2.91.' })
  host?: string;
}

export const IMAGE_ACTIONS = [
  defineAction({
    name: 'createImage',
    takes: CreateImageDto,
    events,
    async run(ctx, server, dto, use) {
      return imageAnswer(ctx, await use(SnapshotsService).take(ctx, server, 'createImage', dto));
    },
  }),
  defineAction({
    name: 'createBackup',
    takes: CreateBackupDto,
    events,
    async run(ctx, server, { name, metadata, backup_type: type, rotation }, use) {
      const request = { name, metadata, backup: { type, rotation } };
      const id = await use(SnapshotsService).take(ctx, server, 'createBackup', request);
      // An image that is not kept has no address.
      return rotation === 0 && !versionOf(ctx).atLeast(45) ? undefined : imageAnswer(ctx, id);
    },
  }),
  defineAction({
    name: 'shelve',
    events: [...new Set(Object.values(SHELVE_EVENTS))],
    run: (ctx, server, _dto, use) => use(SnapshotsService).shelve(ctx, server),
  }),
  defineAction({ name: 'shelveOffload', role: 'admin', events: ['shelve-offload'] }),
  defineAction({
    name: 'unshelve',
    takes: UnshelveDto,
    nullable: true,
    events: ['unshelve', 'unshelve-here'],
    run(ctx, server, dto, use) {
      const { availability_zone: zone, host } = dto;
      if (zone !== undefined) refuseBefore(ctx, 77, 'unshelve.availability_zone');
      if (zone === null) refuseBefore(ctx, 91, 'unshelve.availability_zone as null');
      if (host !== undefined) refuseBefore(ctx, 91, 'unshelve.host');
      return use(SnapshotsService).unshelve(ctx, server, dto);
    },
  }),
];

function imageAnswer(ctx: RequestContext, id: string): object {
  if (versionOf(ctx).atLeast(45)) return { image_id: id };
  return new Location(`${ctx.baseUrl}/images/${id}`);
}
