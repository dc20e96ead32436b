import { Check, Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import type { Acl } from '../buckets/acl.js';
import { Bucket, type BucketId, type RetentionMode } from '../buckets/bucket.entity.js';
import type { Encryption } from '../content/encryption/encryption.js';
import type { StoredChecksum } from '../content/checksums/checksum.js';
import type { ContentId } from '../content/received.js';

/** The version id while versioning is off or suspended. */
export const NULL_VERSION = 'null';

/** Headers that are stored with an object and answered with it, by lower-case name. */
export type ContentHeaders = Readonly<Record<string, string>>;

/** Properties of an object besides its bytes; an upload keeps them for its object. */
export abstract class StoredProperties {
  /** `content-type`, `cache-control`, `x-amz-website-redirect-location`, … */
  @Column('jsonb', { default: () => "'{}'" })
  headers: ContentHeaders;

  /** User metadata, by lower-case name without `x-amz-meta-`. */
  @Column('jsonb', { default: () => "'{}'" })
  metadata: Readonly<Record<string, string>>;

  @Column('jsonb', { default: () => "'{}'" })
  tags: Readonly<Record<string, string>>;

  /** Null: its owner alone has all permissions. */
  @Column('jsonb', { nullable: true })
  acl: Acl | null;

  @Column('text', { name: 'storage_class', default: 'STANDARD' })
  storageClass: string;

  @Column('text', { name: 'retention_mode', nullable: true })
  retentionMode: RetentionMode | null;

  @Column({ type: 'timestamptz', name: 'retain_until', precision: 3, nullable: true })
  retainUntil: Date | null;

  @Column('boolean', { name: 'legal_hold', default: false })
  legalHold: boolean;

  /** Whether a client has ever set it: only then do answers show that it is off. */
  @Column('boolean', { name: 'legal_hold_told', default: false })
  legalHoldTold: boolean;
}

export type ObjectProperties = Readonly<StoredProperties>;

/**
 * A version of an object, or a delete marker. Its bytes are in its row (`inline`), in the store
 * (`dataId`), or in its parts, which share its `contentId`.
 */
@Entity('objects')
@Index('objects_latest', ['bucketId', 'key'], { unique: true, where: 'is_latest' })
@Index('objects_listed', ['bucketId', 'key'], { where: 'is_latest AND NOT is_delete_marker' })
@Index('objects_versions', { synchronize: false })
@Index('objects_content_id', ['contentId'], { unique: true })
@Index('objects_data_id', ['dataId'], { unique: true })
@Check('objects_delete_marker_check', 'is_delete_marker = (content_id IS NULL)')
@Check('objects_bytes_check', 'inline IS NULL OR data_id IS NULL')
export class StoredObject extends StoredProperties {
  @PrimaryColumn('uuid', {
    name: 'bucket_id',
    primaryKeyConstraintName: 'objects_pkey',
  })
  @ForeignKey(() => Bucket, { name: 'objects_bucket_id_fkey' })
  bucketId: BucketId;

  /** In UTF-8: ordered by bytes, as S3 lists keys. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'objects_pkey' })
  key: Buffer;

  @PrimaryColumn('text', { name: 'version_id', primaryKeyConstraintName: 'objects_pkey' })
  versionId: string;

  /** Newer versions of a key have higher ones. */
  @Generated('increment')
  @Column('bigint')
  sequence: string;

  @Column('boolean', { name: 'is_latest' })
  isLatest: boolean;

  @Column('boolean', { name: 'is_delete_marker', default: false })
  isDeleteMarker: boolean;

  @Column({ type: 'timestamptz', name: 'modified_at', precision: 3, default: () => 'now()' })
  modifiedAt: Date;

  /** The project that wrote it. */
  @Column('text', { name: 'owner_id' })
  ownerId: string;

  @Column('uuid', { name: 'content_id', nullable: true })
  contentId: ContentId | null;

  /** Bytes as the client knows them. */
  @Column('bigint', { default: 0 })
  size: string;

  /** Without quotes. */
  @Column('text', { default: '' })
  etag: string;

  @Column('uuid', { name: 'data_id', nullable: true })
  dataId: DataId | null;

  @Column('bytea', { nullable: true, select: false })
  inline: Buffer | null;

  /** How many parts a multipart upload had; null for one that was put as a whole. */
  @Column('integer', { name: 'part_count', nullable: true })
  partCount: number | null;

  @Column('jsonb', { nullable: true })
  checksum: StoredChecksum | null;

  @Column('jsonb', { nullable: true })
  encryption: Encryption | null;
}
