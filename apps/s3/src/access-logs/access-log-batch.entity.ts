import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { LogSource } from './log-key.js';

/**
 * Lines of logs that are still to be delivered. It names its bucket by what is needed of it, as the
 * bucket may be gone by then: its deletion is a line too.
 */
@Entity('access_log_batches')
@Index('access_log_batches_destination', ['destination', 'id'])
@Index('access_log_batches_created_at', ['createdAt'])
export class AccessLogBatch {
  @Generated('increment')
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'access_log_batches_pkey' })
  id: string;

  /** The same for all that may stand in one object. */
  @Column('text')
  destination: string;

  @Column('jsonb')
  source: LogSource;

  /** Each with its line feed. */
  @Column('text')
  lines: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
