/**
 * How long a version is kept whatever its owner wants. Pure. Public source: Amazon S3 user guide,
 * "Locking objects with Object Lock"; API reference, PutObjectRetention.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Bucket } from '../../buckets/bucket.entity.js';
import type { RetentionMode } from '../../buckets/configurations.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import { malformed, type XmlElement, type XmlTree } from '../../http/xml.js';
import type { StoredObject } from '../../objects/object.entity.js';

export type Retention = Pick<StoredObject, 'retentionMode' | 'retainUntil'>;

const MODES: readonly RetentionMode[] = ['GOVERNANCE', 'COMPLIANCE'];
/** As XML writes moments: `2030-01-01T00:00:00Z`, with an offset or without. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/;

/**
 * @param document the element Retention; an empty one ends the retention
 * @throws S3Error MalformedXML; InvalidArgument for a moment that has passed
 */
export function retentionOf(document: XmlElement, now = new Date()): Retention {
  const mode = document.child('Mode')?.text.trim();
  const until = document.child('RetainUntilDate')?.text.trim();
  if (mode === undefined && until === undefined) return { retentionMode: null, retainUntil: null };
  const retentionMode = MODES.find((one) => one === mode);
  if (retentionMode === undefined) throw malformed(`There is no retention mode ${mode ?? ''}.`);
  const retainUntil = MOMENT.test(until ?? '') ? new Date(utc(until ?? '')) : undefined;
  if (retainUntil === undefined || Number.isNaN(retainUntil.getTime()))
    throw malformed(`RetainUntilDate must be in ISO 8601 format: ${until ?? ''}`);
  if (retainUntil <= now)
    throw invalidArgument(
      'RetainUntilDate',
      until ?? '',
      'The retain until date must be in the future!',
    );
  return { retentionMode, retainUntil };
}

/** A moment without an offset is one of UTC. */
function utc(text: string): string {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
}

export function retentionTree({ retentionMode, retainUntil }: Retention): XmlTree {
  return { Mode: retentionMode ?? undefined, RetainUntilDate: retainUntil ?? undefined };
}

/**
 * A retention that is in force only grows. In governance mode, those who may bypass it may do
 * anything; in compliance mode, nobody may.
 * @throws S3Error AccessDenied
 */
export function requireChange(
  from: Retention,
  to: Retention,
  bypassGovernance: boolean,
  now = new Date(),
): void {
  if (from.retentionMode === null || from.retainUntil === null || from.retainUntil <= now) return;
  if (from.retentionMode === 'GOVERNANCE' && bypassGovernance) return;
  const isLonger = to.retainUntil !== null && to.retainUntil >= from.retainUntil;
  if (isLonger && to.retentionMode === from.retentionMode) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied because object protected by object lock: it is retained in ${from.retentionMode} mode until ${from.retainUntil.toISOString()}.`,
  });
}

export type VersionLock = Pick<
  StoredObject,
  'retentionMode' | 'retainUntil' | 'legalHold' | 'legalHoldTold'
>;

const MODE = 'x-amz-object-lock-mode';
const UNTIL = 'x-amz-object-lock-retain-until-date';
const LEGAL_HOLD = 'x-amz-object-lock-legal-hold';

/**
 * The lock that an object is stored with. Public source: Amazon S3 API reference, PutObject; user
 * guide, "Locking objects with Object Lock".
 *
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
    throw invalidArgument(LEGAL_HOLD, hold, "Legal Hold must be either of 'ON' or 'OFF'");
  const asked = headerRetentionOf(mode, until, now) ?? defaultRetention(bucket, now);
  return { ...asked, legalHold: hold === 'ON', legalHoldTold: hold !== undefined };
}

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

function headerRetentionOf(
  mode: string | undefined,
  until: string | undefined,
  now: Date,
): Retention | undefined {
  if (mode === undefined && until === undefined) return undefined;
  if (mode === undefined || until === undefined)
    throw invalidArgument(
      mode === undefined ? MODE : UNTIL,
      '',
      `${UNTIL} and ${MODE} must both be supplied`,
    );
  const retentionMode = MODES.find((one) => one === mode);
  if (retentionMode === undefined) throw invalidArgument(MODE, mode, 'Unknown wormMode directive.');
  const retainUntil = new Date(until);
  if (Number.isNaN(retainUntil.getTime()))
    throw invalidArgument(
      UNTIL,
      until,
      'The retain until date must be provided in ISO 8601 format',
    );
  if (retainUntil <= now)
    throw invalidArgument(UNTIL, until, 'The retain until date must be in the future!');
  return { retentionMode, retainUntil };
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
