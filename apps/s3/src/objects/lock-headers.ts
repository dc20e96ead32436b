/**
 * The lock that an object is stored with. Public source: Amazon S3 API reference, PutObject; user
 * guide, "Locking objects with Object Lock".
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Bucket } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import type { RetentionMode } from './lock/retention-mode.js';
import type { StoredObject } from './object.entity.js';

export type VersionLock = Pick<
  StoredObject,
  'retentionMode' | 'retainUntil' | 'legalHold' | 'legalHoldTold'
>;

const MODE = 'x-amz-object-lock-mode';
const UNTIL = 'x-amz-object-lock-retain-until-date';
const LEGAL_HOLD = 'x-amz-object-lock-legal-hold';
const MODES: readonly string[] = ['GOVERNANCE', 'COMPLIANCE'];

/**
 * What a request does not say is the bucket's default.
 * @throws S3Error InvalidArgument; InvalidRequest if the bucket's objects cannot be locked
 */
export function lockOf(
  headers: IncomingHttpHeaders,
  bucket: Bucket,
  now = new Date(),
): VersionLock {
  const [mode, until, hold] = [headers[MODE], headers[UNTIL], headers[LEGAL_HOLD]].map((value) =>
    value === undefined ? undefined : String(value),
  );
  if (mode === undefined && until === undefined && hold === undefined)
    return { ...defaultRetention(bucket, now), legalHold: false, legalHoldTold: false };
  if (!bucket.objectLock)
    throw new S3Error('InvalidRequest', { message: 'Bucket is missing Object Lock Configuration' });
  if (hold !== undefined && hold !== 'ON' && hold !== 'OFF')
    throw invalid(LEGAL_HOLD, hold, "Legal Hold must be either of 'ON' or 'OFF'");
  const asked = retentionOf(mode, until, now) ?? defaultRetention(bucket, now);
  return { ...asked, legalHold: hold === 'ON', legalHoldTold: hold !== undefined };
}

type Retention = Pick<VersionLock, 'retentionMode' | 'retainUntil'>;

function defaultRetention({ objectLock, configurations }: Bucket, now: Date): Retention {
  const retention = objectLock ? configurations.objectLock : undefined;
  if (!retention) return { retentionMode: null, retainUntil: null };
  const retainUntil = new Date(now);
  const { mode, days = 0, years = 0 } = retention;
  retainUntil.setUTCFullYear(
    now.getUTCFullYear() + years,
    now.getUTCMonth(),
    now.getUTCDate() + days,
  );
  return { retentionMode: mode, retainUntil };
}

function retentionOf(
  mode: string | undefined,
  until: string | undefined,
  now: Date,
): Retention | undefined {
  if (mode === undefined && until === undefined) return undefined;
  if (mode === undefined || until === undefined)
    throw invalid(
      mode === undefined ? MODE : UNTIL,
      '',
      `${UNTIL} and ${MODE} must both be supplied`,
    );
  if (!MODES.includes(mode)) throw invalid(MODE, mode, 'Unknown wormMode directive.');
  const retainUntil = new Date(until);
  if (Number.isNaN(retainUntil.getTime()))
    throw invalid(UNTIL, until, 'The retain until date must be provided in ISO 8601 format');
  if (retainUntil <= now)
    throw invalid(UNTIL, until, 'The retain until date must be in the future!');
  return { retentionMode: mode as RetentionMode, retainUntil };
}

function invalid(name: string, value: string, message: string): S3Error {
  return new S3Error('InvalidArgument', {
    message,
    details: { ArgumentName: name, ArgumentValue: value },
  });
}

/** Headers of answers that say how a version is locked. */
export function lockHeaders({
  retentionMode,
  retainUntil,
  legalHold,
  legalHoldTold,
}: VersionLock): Record<string, string> {
  return {
    ...(retentionMode === null ? {} : { [MODE]: retentionMode }),
    ...(retainUntil === null ? {} : { [UNTIL]: retainUntil.toISOString() }),
    ...(legalHold || legalHoldTold ? { [LEGAL_HOLD]: legalHold ? 'ON' : 'OFF' } : {}),
  };
}
