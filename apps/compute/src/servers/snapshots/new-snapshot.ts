/**
 * What an image of a server is made with.
 * Public source: Nova API reference, "Create Image (createImage Action)"; nova,
 * `compute/utils.py`, initialize_instance_snapshot_metadata.
 */
import type { Image } from '@cumulet/clients/images/images-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from '../server.entity.js';
import { diskImage, type Snapshot } from './snapshot.js';

export interface SnapshotRequest {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly backup?: Snapshot['backup'];
  readonly isShelved?: boolean;
}

/** Properties that say something of an image's own data, or of how it was made. */
const NOT_INHERITED =
  /^(cache_in_nova|bittorrent|img_signature.*|os_glance_.*|instance_uuid|backup_type|signature_verified)$/;

/** @param base the image that the server was created from, if it is still there */
export function snapshotOf(
  ctx: RequestContext,
  server: Server,
  base: Image | undefined,
  { name, metadata = {}, backup, isShelved = false }: SnapshotRequest,
): Snapshot {
  const inherited = Object.entries(base?.properties ?? {}).filter(
    ([property]) => !NOT_INHERITED.test(property),
  );
  return {
    isShelved,
    ...(backup === undefined ? {} : { backup }),
    image: {
      ...diskImage(server, name),
      minDiskGb: Math.max(server.diskGb, base?.minDiskGb ?? 0),
      minMemoryMb: base?.minMemoryMb ?? 0,
      properties: {
        ...Object.fromEntries(inherited),
        ...metadata,
        instance_uuid: server.id,
        base_image_ref: server.imageId,
        user_id: ctx.userId,
        owner_id: server.projectId,
        boot_roles: ctx.roles.join(','),
        image_location: 'snapshot',
        image_state: 'available',
        ...(backup === undefined
          ? { image_type: metadata['image_type'] ?? 'snapshot' }
          : { image_type: 'backup', backup_type: backup.type }),
      },
    },
  };
}

/** By which the backups of a server and type are found. */
export function backupProperties(serverId: string, type: string): Record<string, string> {
  return { instance_uuid: serverId, image_type: 'backup', backup_type: type };
}
