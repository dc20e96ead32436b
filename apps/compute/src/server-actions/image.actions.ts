import {
  IntegerField,
  ObjectField,
  StringField,
  StringMapField,
} from '@cumulet/common/http/fields';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { versionOf, refuseBefore } from '../versions/microversions.js';
import { NameField } from '../servers/server.dto.js';
import { SNAPSHOT_EVENTS, SHELVE_EVENTS, SnapshotsService } from './snapshots/snapshots.service.js';
import { Location, defineAction, bareBody } from './server-action.js';

const events = Object.values(SNAPSHOT_EVENTS);

export class CreateImageDto {
  @NameField()
  name: string;

  @StringMapField({ optional: true, maxKeys: 4_096, description: 'Properties of the image.' })
  metadata?: Record<string, string>;
}

export class CreateImageBody {
  @ObjectField(() => CreateImageDto)
  createImage: CreateImageDto;
}

/** Nova API reference, "Create Image (createImage Action)". */
export const createImageAction = defineAction<CreateImageBody>({
  name: 'createImage',
  body: CreateImageBody,
  events,
  async run(ctx, server, { createImage }, use) {
    return imageAnswer(
      ctx,
      await use(SnapshotsService).take(ctx, server, 'createImage', createImage),
    );
  },
});

export class CreateBackupDto {
  @NameField()
  name: string;

  @StringField({ min: 0, description: 'Such as daily or weekly; each type is kept by itself.' })
  backup_type: string;

  @IntegerField({
    fromText: true,
    min: 0,
    max: 2_147_483_647,
    description: 'How many of the type are kept; the oldest go.',
  })
  rotation: number;

  @StringMapField({ optional: true, maxKeys: 4_096, description: 'Properties of the image.' })
  metadata?: Record<string, string>;
}

export class CreateBackupBody {
  @ObjectField(() => CreateBackupDto)
  createBackup: CreateBackupDto;
}

/** Nova API reference, "Create Server Back Up (createBackup Action)". */
export const createBackupAction = defineAction<CreateBackupBody>({
  name: 'createBackup',
  body: CreateBackupBody,
  events,
  async run(ctx, server, { createBackup }, use) {
    const { name, metadata, backup_type: type, rotation } = createBackup;
    const request = { name, metadata, backup: { type, rotation } };
    const id = await use(SnapshotsService).take(ctx, server, 'createBackup', request);
    // An image that nobody keeps has no address.
    return rotation === 0 && !versionOf(ctx).atLeast(45) ? undefined : imageAnswer(ctx, id);
  },
});

function imageAnswer(ctx: RequestContext, id: string): object {
  if (versionOf(ctx).atLeast(45)) return { image_id: id };
  return new Location(`${ctx.baseUrl}/images/${id}`);
}

/** Nova API reference, "Shelve Server (shelve Action)". */
export const shelveAction = defineAction({
  name: 'shelve',
  body: bareBody('shelve'),
  events: [...new Set(Object.values(SHELVE_EVENTS))],
  async run(ctx, server, _body, use) {
    await use(SnapshotsService).shelve(ctx, server);
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

export class UnshelveDto {
  @StringField({
    optional: true,
    nullable: true,
    description: 'Where it is to be from now on; null: anywhere. Since 2.77, null since 2.91.',
  })
  availability_zone?: string | null;

  @StringField({ optional: true, description: 'The host, for administrators. Since 2.91.' })
  host?: string;
}

export class UnshelveBody {
  @ObjectField(() => UnshelveDto, { nullable: true })
  unshelve: UnshelveDto | null;
}

/** Nova API reference, "Unshelve (Restore) Shelved Server (unshelve Action)". */
export const unshelveAction = defineAction<UnshelveBody>({
  name: 'unshelve',
  body: UnshelveBody,
  events: ['unshelve', 'unshelve-here'],
  async run(ctx, server, { unshelve }, use) {
    const { availability_zone: zone, host } = unshelve ?? {};
    if (zone !== undefined) refuseBefore(ctx, 77, 'unshelve.availability_zone');
    if (zone === null) refuseBefore(ctx, 91, 'unshelve.availability_zone as null');
    if (host !== undefined) refuseBefore(ctx, 91, 'unshelve.host');
    await use(SnapshotsService).unshelve(ctx, server, unshelve ?? {});
    return undefined;
  },
});
