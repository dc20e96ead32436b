import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { randomBytes } from 'node:crypto';
import { asId, isUuid } from '@cumulet/common/context/ids';
import { Bucket, type BucketId } from '../buckets/bucket.entity.js';
import type { ChecksumAlgorithm, ChecksumType } from '../content/checksums/checksum.js';
import type { Encryption } from '../content/encryption/encryption.js';
import { StoredProperties } from '../objects/object.entity.js';
import type { ContentId } from '../content/received.js';
import { S3Error } from '../http/s3-error.js';
import type { ObjectCall } from '../operations/operation.js';

/**
 * A multipart upload in progress: the properties of its object, without the bytes.
 *
 * Always holds: parts belong to an upload or to an object. A trigger deletes the parts of an upload
 * that is deleted without becoming an object.
 */
@Entity('uploads')
@Index('uploads_bucket_id_key', ['bucketId', 'key', 'id'])
export class Upload extends StoredProperties {
  /** Also the content id of its object. Later uploads have higher ones. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uploads_pkey' })
  id: ContentId;

  @Column('uuid', { name: 'bucket_id' })
  @ForeignKey(() => Bucket, { name: 'uploads_bucket_id_fkey' })
  bucketId: BucketId;

  @Column('bytea')
  key: Buffer;

  @Column('text', { name: 'owner_id' })
  ownerId: string;

  /** The project that began it; null for an anonymous caller. */
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

/** @param now milliseconds since 1970 */
export function newUploadId(now: number): ContentId {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return asId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
}

/** @throws S3Error NoSuchUpload */
function uploadIdOf(text = ''): ContentId {
  if (isUuid(text)) return asId(text);
  throw noSuchUpload(text);
}

export function noSuchUpload(id: string): S3Error {
  return new S3Error('NoSuchUpload', { details: { UploadId: id } });
}

export interface UploadName {
  readonly bucketId: BucketId;
  readonly key: string;
  readonly id: ContentId;
}

/** @throws S3Error NoSuchUpload */
export function uploadNameOf({ bucket, key, request }: ObjectCall): UploadName {
  return { bucketId: bucket.id, key, id: uploadIdOf(request.query.get('uploadId')) };
}
