import { randomUUID } from 'node:crypto';
import type { Server } from '../server.entity.js';
import type { Snapshot } from '../snapshots/snapshot.js';

/** The image as which a server's disk goes to another host; a sweep removes it once it is there. */
export function migrationImageOf(server: Server): Snapshot {
  return {
    isShelved: true,
    image: {
      id: randomUUID(),
      name: `${server.name}-migration`,
      owner: server.projectId,
      visibility: 'private',
      diskFormat: 'qcow2',
      containerFormat: 'bare',
      minDiskGb: server.diskGb,
      minMemoryMb: 0,
      properties: {
        ...server.image.properties,
        instance_uuid: server.id,
        base_image_ref: server.imageId,
        image_type: 'migration',
      },
    },
  };
}
