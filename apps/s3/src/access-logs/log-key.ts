/**
 * The names of objects with logs. Pure. Public source: Amazon S3 user guide, "Log object key
 * format". Dates are UTC.
 */
import { randomBytes } from 'node:crypto';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { Logging } from '../buckets/configurations.js';

/** The bucket that was logged. */
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
  // A log whose name has the day of its requests says nothing of the time.
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
