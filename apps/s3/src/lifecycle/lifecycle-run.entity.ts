import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Bucket, type BucketId } from '../buckets/bucket.entity.js';

/** How far the lifecycle rules of a bucket have been applied. */
@Entity('lifecycle_runs')
export class LifecycleRun {
  @PrimaryColumn('uuid', { name: 'bucket_id', primaryKeyConstraintName: 'lifecycle_runs_pkey' })
  @ForeignKey(() => Bucket, { name: 'lifecycle_runs_bucket_id_fkey', onDelete: 'CASCADE' })
  bucketId: BucketId;

  /** A hash of the rules; changed rules are applied again. */
  @Column('text')
  rules: string;

  /** All actions due by then are done. */
  @Column({ type: 'timestamptz', precision: 3 })
  until: Date;
}
