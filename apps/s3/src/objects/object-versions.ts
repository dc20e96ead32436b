/**
 * The only writer of versions.
 *
 * Always holds: whoever stores the latest version of a key by one statement takes no lock, and
 * tries again if somebody else was quicker. Everybody else, and whoever was slower, holds the lock of
 * the key until the transaction ends.
 */
import { createHash } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import type { Bucket, BucketId } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import { BucketEvents } from '../notifications/bucket-events.js';
import type { CreatedBy, EventName } from '../notifications/event-record.js';
import {
  isInTransaction,
  repeated,
  ObjectRepository,
  type Deleted,
  type NewVersion,
  type VersionName,
} from './object.repository.js';
import { checkDeleted, checkReplaced, isConditional, type WriteConditions } from './conditions.js';
import { asStored, markerOf, versionOf, type NewObject, type FoundObject } from './version-id.js';
import { NULL_VERSION, type ObjectProperties, type StoredObject } from './object.entity.js';

export interface RemoveOptions {
  readonly conditions: WriteConditions;
  /** Whether the caller asks for, and may bypass, governance retention. */
  readonly bypassGovernance: boolean;
  /** Whether a lifecycle rule removes it, and not a client. */
  readonly isExpiration?: boolean;
  /** Whether to keep a version that has become the latest. */
  readonly onlyNoncurrent?: boolean;
}

export interface Removed {
  /** Whether a marker was made or removed. */
  readonly deleteMarker: boolean;
  /** Of the marker, or as the caller named it; undefined where there are no versions. */
  readonly versionId: string | undefined;
}

/** Checks the conditions. @returns whether to go on */
type Check = (current: StoredObject | undefined) => boolean;

export interface VersionEvent {
  readonly bucket: Bucket;
  readonly event: EventName;
}

/** A version that is to become the latest of its key. */
interface Write {
  readonly bucket: Bucket;
  readonly version: NewVersion;
  readonly event: EventName;
  readonly check: Check | undefined;
}

@Injectable()
export class ObjectVersions {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly events: BucketEvents,
  ) {}

  /**
   * Checks the conditions before any bytes are received.
   * @throws S3Error PreconditionFailed, NoSuchKey
   */
  async check(
    ctx: RequestContext,
    { id }: Bucket,
    key: string,
    conditions: WriteConditions,
  ): Promise<void> {
    if (!isConditional(conditions)) return;
    const current = await this.objects.find(ctx, { bucketId: id, key, versionId: undefined });
    checkReplaced(current, conditions);
  }

  /**
   * Makes an object the latest version of its key, or replaces the null version if the bucket is not
   * versioned. A single statement, unless there are conditions, an event matches a rule, or `ctx`
   * has a transaction.
   * @throws S3Error PreconditionFailed, NoSuchKey, NoSuchBucket; AccessDenied if the null version is
   * locked; SlowDown for too many concurrent writes of the key
   */
  async publish(
    ctx: RequestContext,
    bucket: Bucket,
    object: NewObject,
    conditions: WriteConditions,
  ): Promise<StoredObject> {
    const check: Check = (current) => {
      checkReplaced(current, conditions);
      return true;
    };
    const write: Write = {
      bucket,
      version: versionOf(bucket, object),
      event: `s3:ObjectCreated:${createdBy(object)}`,
      check: isConditional(conditions) ? check : undefined,
    };
    const stored = await this.#store(ctx, write);
    if (!stored) throw new Error('an object was not stored although nothing prevented it');
    return stored;
  }

  /**
   * Removes a version, or the object of a key: by a marker where the bucket makes versions. What is
   * not there needs no removing.
   * @param versionId of the version that is meant; undefined for the object
   * @throws S3Error PreconditionFailed, NoSuchBucket, SlowDown; AccessDenied for what is locked
   * @throws QueryFailedError inside a transaction, as `publish`
   */
  async remove(
    ctx: RequestContext,
    bucket: Bucket,
    key: string,
    versionId: string | undefined,
    options: RemoveOptions,
  ): Promise<Removed> {
    if (versionId !== undefined || bucket.versioning === 'off')
      return this.#removeVersion(ctx, bucket, key, versionId, options);
    const { conditions } = options;
    const check: Check = (current) => {
      if (current) checkDeleted(current, conditions);
      return current !== undefined;
    };
    const stored = await this.#store(ctx, {
      bucket,
      version: markerOf(bucket, key),
      event: `${removalOf(options)}:DeleteMarkerCreated`,
      check: isConditional(conditions) ? check : undefined,
    });
    return { deleteMarker: stored !== undefined, versionId: stored?.versionId };
  }

  /**
   * The same for many keys at once, without conditions, where `areRemovedAtOnce` says so.
   * @param keys in any order; of those without an object, nothing is to be removed
   */
  async removeAll(ctx: RequestContext, { id }: Bucket, keys: readonly string[]): Promise<void> {
    await repeated(ctx, () => this.objects.deleteAll(ctx, id, keys));
  }

  /** Whether a removal leaves no marker, meets no lock and has no event. */
  areRemovedAtOnce({ versioning, objectLock, configurations }: Bucket): boolean {
    return versioning === 'off' && !objectLock && configurations.notification === undefined;
  }

  /**
   * Changes the properties of a version, but not its bytes.
   * @param change its event; undefined if there is none
   */
  async change(
    ctx: RequestContext,
    version: FoundObject,
    changed: Partial<ObjectProperties>,
    change?: VersionEvent,
  ): Promise<void> {
    const key = version.key.toString();
    if (!change || !this.events.concerns(change.bucket, change.event, key))
      return this.#change(ctx, version, changed);
    const { bucket, event: name } = change;
    const { etag, versionId } = version;
    await inTransaction(ctx, async (tx) => {
      await this.#change(tx, version, changed);
      const size = Number(version.size);
      await this.events.emit(tx, bucket, { name, key, size, etag, versionId });
    });
  }

  async #change(
    ctx: RequestContext,
    version: FoundObject,
    changed: Partial<ObjectProperties>,
  ): Promise<void> {
    if (await this.objects.update(ctx, version, changed)) return;
    throw new S3Error('NoSuchKey', { details: { Key: version.key.toString() } });
  }

  async #removeVersion(
    ctx: RequestContext,
    bucket: Bucket,
    key: string,
    versionId: string | undefined,
    options: RemoveOptions,
  ): Promise<Removed> {
    const name = { bucketId: bucket.id, key, versionId: versionId ?? NULL_VERSION };
    const event: EventName = `${removalOf(options)}:Delete`;
    const isPlain = this.areRemovedAtOnce(bucket) && !isConditional(options.conditions);
    const deleted = await repeated(ctx, (attempt) =>
      isPlain && attempt === 1
        ? this.objects.delete(ctx, name)
        : inTransaction(ctx, async (tx) => {
            const gone = await this.#deleteLocked(tx, name, options);
            if (gone) await this.events.emit(tx, bucket, { ...gone, name: event, key, versionId });
            return gone;
          }),
    );
    return { deleteMarker: deleted?.isDeleteMarker ?? false, versionId };
  }

  async #deleteLocked(
    tx: RequestContext,
    name: VersionName & { readonly versionId: string },
    { conditions, bypassGovernance, onlyNoncurrent = false }: RemoveOptions,
  ): Promise<Deleted | undefined> {
    await lockKey(tx, name.bucketId, Buffer.from(name.key));
    const current = await this.objects.findLocked(tx, name);
    if (!current || (onlyNoncurrent && current.isLatest)) return undefined;
    checkDeleted(current, conditions);
    requireUnlocked(current, bypassGovernance);
    return this.objects.delete(tx, name);
  }

  /** @returns undefined if the check says not to */
  #store(ctx: RequestContext, write: Write): Promise<StoredObject | undefined> {
    const { bucket, version, event, check } = write;
    const isHeard = this.events.concerns(bucket, event, version.key.toString());
    return repeated(ctx, (attempt) =>
      attempt === 1 && !check && !isHeard && !isInTransaction(ctx)
        ? this.#replace(ctx, version)
        : inTransaction(ctx, (tx) => this.#storeLocked(tx, write)),
    );
  }

  async #storeLocked(
    tx: RequestContext,
    { bucket, version, event, check }: Write,
  ): Promise<StoredObject | undefined> {
    const key = version.key.toString();
    await lockKey(tx, bucket.id, version.key);
    const current =
      check &&
      (await this.objects.findLocked(tx, { bucketId: bucket.id, key, versionId: undefined }));
    if (check && !check(current)) return undefined;
    // A writer without the lock may have stored the first version since; then this one must fail.
    const stored =
      check && !current
        ? asStored(version, await this.objects.insert(tx, version))
        : await this.#replace(tx, version);
    const { etag, versionId, sequence } = stored;
    const happened = { name: event, key, size: Number(stored.size), etag, versionId, sequence };
    await this.events.emit(tx, bucket, happened);
    return stored;
  }

  async #replace(ctx: RequestContext, version: NewVersion): Promise<StoredObject> {
    const given = await this.objects.publish(ctx, version);
    if (given) return asStored(version, given);
    throw new S3Error('AccessDenied', {
      message: 'Access Denied because object protected by object lock.',
    });
  }
}

function createdBy({ createdBy = 'Put', content }: NewObject): CreatedBy {
  return content.partCount === null ? createdBy : 'CompleteMultipartUpload';
}

function removalOf({ isExpiration = false }: RemoveOptions) {
  return isExpiration ? 's3:LifecycleExpiration' : 's3:ObjectRemoved';
}

/** A hash collision only makes one wait. */
async function lockKey(tx: RequestContext, bucketId: BucketId, key: Buffer): Promise<void> {
  const hash = createHash('sha256').update(bucketId).update(key).digest('base64');
  await transactionLock(tx.manager, `object ${hash}`);
}

type Lockable = Pick<StoredObject, 'legalHold' | 'retentionMode' | 'retainUntil'>;

/**
 * Whether a lock keeps a version. Public source: Amazon S3 user guide, "Object Lock". Pure.
 * @param bypassGovernance whether the caller may and wants to undo a retention in governance mode
 * @throws S3Error AccessDenied
 */
function requireUnlocked(
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
