/**
 * Retention and legal holds of objects. Public source: Amazon S3 API reference, GetObjectRetention,
 * PutObjectRetention, GetObjectLegalHold and PutObjectLegalHold.
 */
import { inTransaction } from '@cumulet/common/database/transaction';
import { Feature } from '@cumulet/common/service/feature';
import { Access } from '../../access/access.js';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import { malformed, type XmlElement, type XmlTree } from '../../http/xml.js';
import { ObjectVersions } from '../../objects/object-versions.js';
import { ObjectRepository } from '../../objects/object.repository.js';
import { requireFound, requireObject, type FoundObject } from '../../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';
import { xmlOf } from '../../operations/read-document.js';
import { RETENTION_MODES, type Retention } from '../writing/object-properties.js';

@Handles('GetObjectRetention')
export class GetObjectRetention implements Operation<ObjectCall> {
  /** @throws S3Error NoSuchObjectLockConfiguration, and what `requireLockable` throws */
  run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    if (object.retentionMode === null) throw new S3Error('NoSuchObjectLockConfiguration');
    return Promise.resolve(xmlAnswer('Retention', retentionTree(object)));
  }
}

@Handles('PutObjectRetention')
export class PutObjectRetention implements Operation<ObjectCall> {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly versions: ObjectVersions,
    private readonly access: Access,
  ) {}

  /** @throws S3Error MalformedXML, InvalidArgument, AccessDenied, and what `requireLockable` throws */
  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    const retention = retentionOf(await xmlOf(call, 'Retention'));
    await this.#change(call, object, retention);
    return {};
  }

  /** Concurrent changes are serialised: each is checked against the one before. */
  async #change(call: ObjectCall, object: FoundObject, retention: Retention): Promise<void> {
    const { bucket, key, ctx, caller } = call;
    const { versionId } = object;
    const bypassGovernance = this.access.bypassesGovernance(caller, call);
    await inTransaction(ctx, async (tx) => {
      const current = await this.objects.findLocked(tx, { bucketId: bucket.id, key, versionId });
      const found = requireFound(current, { key, versionId });
      requireChange(found, retention, bypassGovernance);
      await this.versions.change(tx, found, retention);
    });
  }
}

@Handles('GetObjectLegalHold')
export class GetObjectLegalHold implements Operation<ObjectCall> {
  /** @throws S3Error what `requireLockable` throws */
  run(call: ObjectCall): Promise<S3Answer> {
    const { legalHold } = requireLockable(call);
    return Promise.resolve(xmlAnswer('LegalHold', { Status: legalHold ? 'ON' : 'OFF' }));
  }
}

@Handles('PutObjectLegalHold')
export class PutObjectLegalHold implements Operation<ObjectCall> {
  constructor(private readonly versions: ObjectVersions) {}

  /** @throws S3Error MalformedXML, and what `requireLockable` throws */
  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    const status = (await xmlOf(call, 'LegalHold')).need('Status').text.trim();
    if (status !== 'ON' && status !== 'OFF')
      throw malformed(`The status of a legal hold is ON or OFF, not ${status}.`);
    const hold = { legalHold: status === 'ON', legalHoldTold: true };
    await this.versions.change(call.ctx, object, hold);
    return {};
  }
}

/**
 * The object that a request about its lock is for.
 * @throws S3Error InvalidRequest if the bucket's objects cannot be locked; NoSuchKey, NoSuchVersion,
 * MethodNotAllowed
 */
function requireLockable(call: ObjectCall): FoundObject {
  if (call.bucket.objectLock) return requireObject(call);
  throw new S3Error('InvalidRequest', { message: 'Bucket is missing Object Lock Configuration' });
}

@Feature({
  providers: [GetObjectLegalHold, GetObjectRetention, PutObjectLegalHold, PutObjectRetention],
})
export class LocksModule {}

/** xsd:dateTime: `2030-01-01T00:00:00Z`, with an offset or without. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/;

/**
 * @param document the element Retention; an empty one ends the retention
 * @throws S3Error MalformedXML; InvalidArgument for a moment that has passed
 */
export function retentionOf(document: XmlElement, now = new Date()): Retention {
  const mode = document.child('Mode')?.text.trim();
  const until = document.child('RetainUntilDate')?.text.trim();
  if (mode === undefined && until === undefined) return { retentionMode: null, retainUntil: null };
  const retentionMode = RETENTION_MODES.find((one) => one === mode);
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

/** UTC unless the time has an offset. */
function utc(text: string): string {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
}

function retentionTree({ retentionMode, retainUntil }: Retention): XmlTree {
  return { Mode: retentionMode ?? undefined, RetainUntilDate: retainUntil ?? undefined };
}

/**
 * An active retention can only be extended. In governance mode, callers who may bypass it may do
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
