import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Bucket, type BucketId } from '../buckets/bucket.entity.js';

/**
 * The usage of a bucket, kept by a trigger in several rows that are added up: so
 * writers of a busy bucket do not wait for each other.
 */
@Entity('bucket_usage')
export class BucketUsage {
  @PrimaryColumn('uuid', { name: 'bucket_id', primaryKeyConstraintName: 'bucket_usage_pkey' })
  @ForeignKey(() => Bucket, { name: 'bucket_usage_bucket_id_fkey', onDelete: 'CASCADE' })
  bucketId: BucketId;

  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'bucket_usage_pkey' })
  shard: number;

  @Column('bigint', { default: 0 })
  objects: string;

  @Column('bigint', { default: 0 })
  bytes: string;
}
