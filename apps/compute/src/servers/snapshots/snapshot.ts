/**
 * The image that a server's disk becomes: what it is made with, as it stands in the server's row until
 * it is done. Its id is chosen before it exists, so whoever goes on with it finds it.
 */
import { randomUUID } from 'node:crypto';
import type { NewImage, Image } from '@cumulet/clients/images/images-client';
import type { Condition } from '@cumulet/common/tables/condition';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { BootImage } from '../../hypervisor/boot-image.js';

/** How far it is, in order. */
export const SNAPSHOT_STEPS = ['pending', 'begun', 'copying', 'uploading'] as const;

export type SnapshotStep = (typeof SNAPSHOT_STEPS)[number];

export interface Snapshot {
  readonly image: NewImage;
  /** `pending` where there is none. */
  readonly step?: SnapshotStep;
  /** An image of a server that is shelved, or on its way to another host, goes with it. */
  readonly isShelved: boolean;
  /** How many backups of this type are kept. */
  readonly backup?: { readonly type: string; readonly rotation: number };
  /** Of such a server: what it boots from afterwards. */
  readonly bootImage?: BootImage;
  /** Those that the ephemeral disks of a server become that is on its way to another host. */
  readonly localDisks?: readonly LocalDiskImage[];
}

/** The image of a local disk. */
export interface LocalDiskImage {
  /** The number of the disk. */
  readonly local: number;
  readonly image: NewImage;
  /** Once it is whole: what the disk is made from. */
  readonly made?: BootImage;
}

/** Of an image of a server's disk: what it is, and whose. */
export function diskImage({ projectId }: { readonly projectId: string }, name: string) {
  return {
    id: randomUUID(),
    name,
    owner: projectId,
    visibility: 'private',
    diskFormat: 'qcow2',
    containerFormat: 'bare',
  } as const satisfies Partial<NewImage>;
}

/** All images that are made, each with the number of its disk where that is a local one. */
export function imagesIn({ image, localDisks = [] }: Pick<Snapshot, 'image' | 'localDisks'>): {
  readonly image: NewImage;
  readonly local?: number;
}[] {
  return [{ image }, ...localDisks];
}

/**
 * Nova's words for how far a snapshot is.
 * Public source: nova, `compute/manager.py`, _snapshot_instance and _shelve_instance, and
 * `virt/libvirt/driver.py`, snapshot.
 */
type Kind = 'image' | 'backup' | 'shelved';

const COPIED = { copying: 'image_pending_upload', uploading: 'image_uploading' };

const TASKS: Readonly<Record<Kind, Readonly<Record<SnapshotStep, string>>>> = {
  image: { pending: 'image_snapshot_pending', begun: 'image_snapshot', ...COPIED },
  backup: { pending: 'image_backup', begun: 'image_backup', ...COPIED },
  shelved: {
    pending: 'shelving',
    begun: 'shelving',
    copying: 'shelving_image_pending_upload',
    uploading: 'shelving_image_uploading',
  },
};

export function snapshotTaskOf({ isShelved, backup, step = 'pending' }: Snapshot): string {
  const kind = isShelved ? 'shelved' : backup === undefined ? 'image' : 'backup';
  return TASKS[kind][step];
}

/** As `kind step`; a server in a state of a snapshot has one. */
const KIND_AND_STEP = (snapshot: string): string =>
  `CASE WHEN (${snapshot}->>'isShelved')::boolean THEN 'shelved'
        WHEN ${snapshot}->'backup' IS NULL THEN 'image' ELSE 'backup' END
   || ' ' || coalesce(${snapshot}->>'step', 'pending')`;

/** The snapshots of which it is said. */
export function snapshotDoes(task: string): Condition {
  const kinds = Object.entries(TASKS) as [Kind, (typeof TASKS)[Kind]][];
  const found = kinds.flatMap(([kind, tasks]) =>
    SNAPSHOT_STEPS.filter((step) => tasks[step] === task).map((step) => `${kind} ${step}`),
  );
  return (bind, column) => `(${KIND_AND_STEP(column('snapshot'))}) = ANY(${bind(found)})`;
}

/**
 * What an image of a server is made with.
 * Public source: Nova API reference, "Create Image (createImage Action)"; nova,
 * `compute/utils.py`, initialize_instance_snapshot_metadata.
 */
export interface SnapshotRequest {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly backup?: Snapshot['backup'];
  readonly isShelved?: boolean;
}

/** Properties that say something of an image's own data, or of how it was made. */
const NOT_INHERITED =
  /^(cache_in_nova|bittorrent|img_signature.*|os_glance_.*|instance_uuid|backup_type|signature_verified)$/;

/** Of the server's row. */
export interface SnapshotSource {
  readonly id: string;
  readonly projectId: string;
  readonly diskGb: number;
  readonly imageId: string;
}

/** @param base the image that the server was created from, if it is still there */
export function snapshotOf(
  ctx: RequestContext,
  server: SnapshotSource,
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
