import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import { randomBytes } from 'node:crypto';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { Logging } from '../buckets/bucket.entity.js';

/**
 * Log lines that are still to be delivered. It has the needed facts of its bucket, which may be gone
 * by then: a bucket's deletion is logged too.
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

export interface LogSource {
  readonly projectId: ProjectId;
  readonly region: string;
  readonly name: string;
  readonly logging: Logging;
  /** Of the requests: `2026-11-23`. */
  readonly day: string;
}

const UNIQUE_BYTES = 8;

/** @returns a name that no other log has */
export function logKeyOf({ projectId, region, name, logging, day }: LogSource, now: Date): string {
  const { prefix, keyFormat } = logging;
  const unique = randomBytes(UNIQUE_BYTES).toString('hex').toUpperCase();
  if (keyFormat?.kind !== 'partitioned') return `${prefix}${secondsOf(now)}-${unique}`;
  // A log named after the day of its requests has no time.
  const time = keyFormat.by === 'DeliveryTime' ? now : new Date(`${day}T00:00:00Z`);
  const folder = dayOf(time).replaceAll('-', '/');
  return `${prefix}${projectId}/${region}/${name}/${folder}/${secondsOf(time)}-${unique}`;
}

/** `2026-11-23` */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** `2026-11-23-10-57-03` */
function secondsOf(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
}
