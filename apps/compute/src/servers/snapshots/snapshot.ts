/**
 * The image that a server's disk becomes: what it is made with, as it stands in the server's row until
 * it is done. Its id is chosen before it exists, so whoever goes on with it finds it.
 */
import { randomUUID } from 'node:crypto';
import type { NewImage } from '@cumulet/clients/images/images-client';
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
