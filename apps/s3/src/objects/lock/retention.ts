/**
 * How long a version is kept whatever its owner wants. Pure. Public source: Amazon S3 user guide,
 * "Locking objects with Object Lock"; API reference, PutObjectRetention.
 */
import { S3Error } from '../../http/s3-error.js';
import { malformed, type XmlElement, type XmlTree } from '../../http/xml.js';
import type { StoredObject } from '../object.entity.js';
import type { RetentionMode } from './retention-mode.js';

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
    throw new S3Error('InvalidArgument', {
      message: 'The retain until date must be in the future!',
      details: { ArgumentName: 'RetainUntilDate', ArgumentValue: until ?? '' },
    });
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
