/**
 * The image that a server's disk becomes, as the server's row describes it until it is complete.
 * Its ID is chosen before it exists, so that any worker finds it.
 */
import { randomUUID } from 'node:crypto';
import type { NewImage, Image } from '@cumulet/clients/images/images-client';
import type { Condition } from '@cumulet/common/tables/condition';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { BootImage } from '../../hypervisor/boot-image.js';

/** Progress, in order. */
export const SNAPSHOT_STEPS = ['pending', 'begun', 'copying', 'uploading'] as const;

export type SnapshotStep = (typeof SNAPSHOT_STEPS)[number];

export interface Snapshot {
  readonly image: NewImage;
  /** `pending` if absent. */
  readonly step?: SnapshotStep;
  /** Removed with a server that is shelved, or on its way to another host. */
  readonly isShelved: boolean;
  /** The number of backups of this type to keep. */
  readonly backup?: { readonly type: string; readonly rotation: number };
  /** The image that such a server boots from afterwards. */
  readonly bootImage?: BootImage;
  /** Images of the ephemeral disks of a server that moves to another host. */
  readonly localDisks?: readonly LocalDiskImage[];
}

export interface LocalDiskImage {
  /** The number of the disk. */
  readonly local: number;
  readonly image: NewImage;
  /** The disk's new image, once it is complete. */
  readonly made?: BootImage;
}

/** Properties of an image of a server's disk, and its owner. */
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

/** All images, those of local disks with the disk's number. */
export function imagesIn({ image, localDisks = [] }: Pick<Snapshot, 'image' | 'localDisks'>): {
  readonly image: NewImage;
  readonly local?: number;
}[] {
  return [{ image }, ...localDisks];
}

/**
 * Nova's words for the progress of a snapshot. Public source: nova, `compute/manager.py`,
 * _snapshot_instance and _shelve_instance, and `virt/libvirt/driver.py`, snapshot.
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

/** As `kind step`, of a server in a state of a snapshot. */
const KIND_AND_STEP = (snapshot: string): string =>
  `CASE WHEN (${snapshot}->>'isShelved')::boolean THEN 'shelved'
        WHEN ${snapshot}->'backup' IS NULL THEN 'image' ELSE 'backup' END
   || ' ' || coalesce(${snapshot}->>'step', 'pending')`;

/** Snapshots with this task. */
export function snapshotDoes(task: string): Condition {
  const kinds = Object.entries(TASKS) as [Kind, (typeof TASKS)[Kind]][];
  const found = kinds.flatMap(([kind, tasks]) =>
    SNAPSHOT_STEPS.filter((step) => tasks[step] === task).map((step) => `${kind} ${step}`),
  );
  return (bind, column) => `(${KIND_AND_STEP(column('snapshot'))}) = ANY(${bind(found)})`;
}

/**
 * A request for an image of a server. Public source: Nova API reference, "Create Image (createImage
 * Action)"; nova, `compute/utils.py`, initialize_instance_snapshot_metadata.
 */
export interface SnapshotRequest {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly backup?: Snapshot['backup'];
  readonly isShelved?: boolean;
}

/** Properties of an image's own data, or of its making. */
const NOT_INHERITED =
  /^(cache_in_nova|bittorrent|img_signature.*|os_glance_.*|instance_uuid|backup_type|signature_verified)$/;

/** From the server's row. */
export interface SnapshotSource {
  readonly id: string;
  readonly projectId: string;
  readonly diskGb: number;
  readonly imageId: string;
}

/** @param base the image that the server was created from, if it still exists */
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

/** Properties that identify the backups of a server and type. */
export function backupProperties(serverId: string, type: string): Record<string, string> {
  return { instance_uuid: serverId, image_type: 'backup', backup_type: type };
}
