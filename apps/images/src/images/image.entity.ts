import type { Id, ProjectId } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ImageState } from './image.states.js';

export type ImageId = Id<'Image'>;

/**
 * The ID of an existing or deleted image.
 *
 * Always holds: rows are never changed or removed, so no other project can reuse an ID that people
 * know (OSSN-0075).
 */
@Entity('used_image_ids')
export class UsedImageId {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'used_image_ids_pkey' })
  id: ImageId;
}

export const VISIBILITIES = ['public', 'private', 'shared', 'community'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * Always holds: an active, deactivated or killed image has `dataId`, `size`, `checksum` and
 * `hashValue`; a saving one has `dataId` and `uploadOwner`; a staging one has `stagedDataId` and
 * `uploadOwner`; a queued one has none of these.
 */
@Entity('images')
@Index('images_owner', ['owner', 'createdAt', 'id'])
@Index('images_published', ['createdAt', 'id'], {
  where: `visibility IN ('public', 'community')`,
})
@Index('images_data', ['dataId'], { unique: true, where: 'data_id IS NOT NULL' })
@Index('images_staged_data', ['stagedDataId'], {
  unique: true,
  where: 'staged_data_id IS NOT NULL',
})
@Index('images_importing', ['owner', 'stateSince'], {
  where: `state IN ('import_waiting', 'importing')`,
})
@Index('images_unsettled', ['state'], {
  where: `state IN ('saving', 'staging', 'staged', 'import_waiting', 'importing', 'pending_delete')`,
})
@Index('images_scrub', ['scrubbedAt'], {
  where: `state IN ('active', 'deactivated', 'killed')`,
})
@Check(
  'images_data_of_state',
  `(state <> 'saving' OR (data_id IS NOT NULL AND upload_owner IS NOT NULL))
   AND (state <> 'staging' OR (staged_data_id IS NOT NULL AND upload_owner IS NOT NULL))
   AND (state <> 'staged' OR (staged_data_id IS NOT NULL AND staged_size IS NOT NULL))
   AND (state NOT IN ('active', 'deactivated', 'killed')
        OR (data_id IS NOT NULL AND size IS NOT NULL
            AND checksum IS NOT NULL AND hash_value IS NOT NULL))`,
)
export class Image extends StatefulColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'images_pkey' })
  @ForeignKey(() => UsedImageId, { name: 'images_id_fkey' })
  id: ImageId;

  declare state: ImageState;

  @Column('text')
  owner: ProjectId;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text')
  visibility: Visibility;

  @Column('boolean')
  protected: boolean;

  @Column('boolean', { name: 'os_hidden' })
  hidden: boolean;

  @Column('text', { name: 'disk_format', nullable: true })
  diskFormat: string | null;

  @Column('text', { name: 'container_format', nullable: true })
  containerFormat: string | null;

  /** Gigabytes. */
  @Column('integer', { name: 'min_disk' })
  minDisk: number;

  /** Megabytes. */
  @Column('integer', { name: 'min_ram' })
  minRam: number;

  @Column('text', { array: true })
  tags: string[];

  /** Custom properties, including kernel_id and ramdisk_id. */
  @Column('jsonb')
  properties: Record<string, string>;

  @Column('uuid', { name: 'data_id', nullable: true })
  dataId: DataId | null;

  /** The process that receives the data; see `upload-lease.ts`. */
  @Column('text', { name: 'upload_owner', nullable: true })
  uploadOwner: string | null;

  @Column('uuid', { name: 'staged_data_id', nullable: true })
  stagedDataId: DataId | null;

  /** Bytes, once all of the data is staged. */
  @Column('bigint', { name: 'staged_size', nullable: true })
  stagedSize: number | null;

  /** Bytes announced by a running upload, counted against the quota. */
  @Column('bigint', { name: 'announced_size', nullable: true })
  announcedSize: number | null;

  /** Bytes. */
  @Column('bigint', { nullable: true })
  size: number | null;

  /** Bytes of the disk that a guest sees, if known. */
  @Column('bigint', { name: 'virtual_size', nullable: true })
  virtualSize: number | null;

  /** MD5 of the data in hexadecimal. */
  @Column('text', { nullable: true })
  checksum: string | null;

  /** SHA-512 of the data in hexadecimal. */
  @Column('text', { name: 'hash_value', nullable: true })
  hashValue: string | null;

  @Column('timestamptz', { name: 'scrubbed_at', nullable: true })
  scrubbedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
