/** Whether a lock keeps a version. Public source: Amazon S3 user guide, "Object Lock". Pure. */
import { S3Error } from '../http/s3-error.js';
import type { StoredObject } from './object.entity.js';

type Lockable = Pick<StoredObject, 'legalHold' | 'retentionMode' | 'retainUntil'>;

/**
 * @param bypassGovernance whether the caller may and wants to undo a retention in governance mode
 * @throws S3Error AccessDenied
 */
export function requireUnlocked(
  { legalHold, retentionMode, retainUntil }: Lockable,
  bypassGovernance: boolean,
  now = new Date(),
): void {
  if (legalHold) throw locked('a legal hold is in place');
  if (retentionMode === null || retainUntil === null || retainUntil <= now) return;
  if (retentionMode === 'GOVERNANCE' && bypassGovernance) return;
  throw locked(`it is retained in ${retentionMode} mode until ${retainUntil.toISOString()}`);
}

function locked(why: string): S3Error {
  return new S3Error('AccessDenied', {
    message: `Access Denied because object protected by object lock: ${why}.`,
  });
}
