import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Bucket, type BucketId } from '../buckets/bucket.entity.js';
import type { ChecksumAlgorithm, ChecksumType } from '../content/checksums/checksum.js';
import type { Encryption } from '../content/encryption/encryption.js';
import { StoredProperties } from '../objects/object.entity.js';
import type { ContentId } from '../content/received.js';

/**
 * A multipart upload under way: what its object will have, but for its bytes.
 *
 * Always holds: parts belong to an upload or to an object. A trigger removes those of an upload that
 * is deleted and has become none.
 */
@Entity('uploads')
@Index('uploads_bucket_id_key', ['bucketId', 'key', 'id'])
export class Upload extends StoredProperties {
  /** That of the bytes of its object, too. Later uploads have higher ones. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uploads_pkey' })
  id: ContentId;

  @Column('uuid', { name: 'bucket_id' })
  @ForeignKey(() => Bucket, { name: 'uploads_bucket_id_fkey' })
  bucketId: BucketId;

  @Column('bytea')
  key: Buffer;

  @Column('text', { name: 'owner_id' })
  ownerId: string;

  /** The project that began it; null for a caller without a signature. */
  @Column('text', { name: 'initiator_id', nullable: true })
  initiatorId: string | null;

  @Column({ type: 'timestamptz', name: 'initiated_at', precision: 3, default: () => 'now()' })
  initiatedAt: Date;

  @Column('text', { name: 'checksum_algorithm', nullable: true })
  checksumAlgorithm: ChecksumAlgorithm | null;

  @Column('text', { name: 'checksum_type', nullable: true })
  checksumType: ChecksumType | null;

  @Column('jsonb', { nullable: true })
  encryption: Encryption | null;
}
