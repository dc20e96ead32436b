/**
 * The images as which a server's disks go to another host; a sweep removes them once they are there. Swap
 * is made anew. Public source: nova, `virt/libvirt/driver.py`, migrate_disk_and_power_off.
 */
import type { NewImage } from '@cumulet/clients/images/images-client';
import { type GuestSpec, numberOf } from '../hypervisor/ports/guest-spec.js';
import type { Server } from '../servers/server.entity.js';
import { diskImage, type Snapshot } from '../servers/snapshots/snapshot.js';

const MIB_PER_GIB = 1024;
/** Of the server's name in theirs, which the images service takes only up to 255 characters of. */
const MAX_NAME = 200;

export function migrationImageOf(server: Server): Snapshot {
  const name = `${Array.from(server.name).slice(0, MAX_NAME).join('')}-migration`;
  const localDisks = server.localDisks.flatMap((disk, index) => {
    if (disk.format === 'swap') return [];
    const local = numberOf(disk, index);
    const image = imageOf(server, `${name}-${local}`, Math.ceil(disk.sizeMb / MIB_PER_GIB));
    return [{ local, image }];
  });
  return {
    isShelved: true,
    image: imageOf(server, name, server.diskGb, server.image.properties),
    ...(localDisks.length === 0 ? {} : { localDisks }),
  };
}

function imageOf(
  server: Server,
  name: string,
  minDiskGb: number,
  properties: Readonly<Record<string, string>> = {},
): NewImage {
  return {
    ...diskImage(server, name),
    minDiskGb,
    minMemoryMb: 0,
    properties: {
      ...properties,
      instance_uuid: server.id,
      base_image_ref: server.imageId,
      image_type: 'migration',
    },
  };
}

/** The guest of a server that has come with these images: its ephemeral disks are made from them. */
export function arrivedGuest(guest: GuestSpec, snapshot: Snapshot | null): GuestSpec {
  const made = new Map(snapshot?.localDisks?.map(({ local, made: image }) => [local, image]));
  const { localDisks = [] } = guest;
  return {
    ...guest,
    localDisks: localDisks.map((disk, index) => {
      const content = made.get(numberOf(disk, index));
      return content === undefined ? disk : { ...disk, content };
    }),
  };
}
