import type { Id, ProjectId } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ImageState } from './image.states.js';

export type ImageId = Id<'Image'>;

/**
 * A row of `used_image_ids`: an id that an image has, or had before it was deleted.
 *
 * Always holds: no row is ever changed or removed. An id means one image to those who know it, and
 * no other project may put its own image in that place (OSSN-0075).
 */
@Entity('used_image_ids')
export class UsedImageId {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'used_image_ids_pkey' })
  id: ImageId;
}

export const VISIBILITIES = ['public', 'private', 'shared', 'community'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * A row of `images`.
 *
 * Always holds: an image that is active, deactivated or killed has all of `dataId`, `size`,
 * `checksum` and `hashValue`; a saving one has `dataId` and `uploadOwner`, a staging one
 * `stagedDataId` and `uploadOwner`; a queued one has none of them.
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

  /** Custom properties, kernel_id and ramdisk_id among them. */
  @Column('jsonb')
  properties: Record<string, string>;

  @Column('uuid', { name: 'data_id', nullable: true })
  dataId: DataId | null;

  /** The process that receives the data; see `upload-lease.ts`. */
  @Column('text', { name: 'upload_owner', nullable: true })
  uploadOwner: string | null;

  /** The object that holds the staged data. */
  @Column('uuid', { name: 'staged_data_id', nullable: true })
  stagedDataId: DataId | null;

  /** Bytes of the staged data, once all have come. */
  @Column('bigint', { name: 'staged_size', nullable: true })
  stagedSize: number | null;

  /** Bytes that a running upload has announced; they count against the project's quota. */
  @Column('bigint', { name: 'announced_size', nullable: true })
  announcedSize: number | null;

  /** Bytes of the data. */
  @Column('bigint', { nullable: true })
  size: number | null;

  /** Bytes of the disk that a guest sees, if the data tells. */
  @Column('bigint', { name: 'virtual_size', nullable: true })
  virtualSize: number | null;

  /** MD5 of the data in hexadecimal. */
  @Column('text', { nullable: true })
  checksum: string | null;

  /** SHA-512 of the data in hexadecimal. */
  @Column('text', { name: 'hash_value', nullable: true })
  hashValue: string | null;

  /** When the stored bytes were last compared with their checksums. */
  @Column('timestamptz', { name: 'scrubbed_at', nullable: true })
  scrubbedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
