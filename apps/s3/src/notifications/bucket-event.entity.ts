import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { EventRecord } from './event-record.js';

/**
 * An event in a bucket, for a webhook. It is stored by the transaction that causes it, and deleted once
 * it is delivered.
 */
@Entity('bucket_events')
@Index('bucket_events_due', ['dueAt'])
@Index('bucket_events_url', ['url', 'id'])
@Index('bucket_events_created_at', ['createdAt'])
export class BucketEvent {
  @Generated('increment')
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'bucket_events_pkey' })
  id: string;

  @Column('text')
  url: string;

  @Column('jsonb')
  record: EventRecord;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** The next attempt. */
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, default: () => 'now()' })
  dueAt: Date;
}
