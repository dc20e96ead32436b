/**
 * The only writer of versions.
 *
 * Always holds: whoever stores the latest version of a key by one statement takes no lock, and
 * tries again if somebody else was quicker. Everybody else, and whoever was slower, holds the lock of
 * the key until the transaction ends.
 */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Bucket, BucketId } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import { isInTransaction, repeated } from './collisions.js';
import type { FoundObject } from './found-object.js';
import { NO_PROPERTIES, type ObjectProperties } from './object-properties.js';
import { NULL_VERSION, type StoredObject } from './object.entity.js';
import {
  ObjectRepository,
  type Deleted,
  type Given,
  type NewVersion,
  type VersionName,
} from './object.repository.js';
import { newVersionId } from './version-id.js';
import { requireUnlocked } from './version-lock.js';
import {
  checkDeleted,
  checkReplaced,
  isConditional,
  type WriteConditions,
} from './write-conditions.js';

/** Bytes that have been stored, or parts of an upload that have been put together. */
export type NewContent = Pick<
  NewVersion,
  'dataId' | 'inline' | 'partCount' | 'checksum' | 'encryption' | 'etag'
> & { readonly contentId: NonNullable<StoredObject['contentId']>; readonly size: number };

export interface NewObject extends ObjectProperties {
  readonly key: string;
  /** The project that owns it. */
  readonly ownerId: string;
  readonly content: NewContent;
}

export interface RemoveOptions {
  readonly conditions: WriteConditions;
  /** Whether the caller may and wants to undo a retention in governance mode. */
  readonly bypassGovernance: boolean;
}

export interface Removed {
  /** Whether a marker was made, or was what has been removed. */
  readonly deleteMarker: boolean;
  /** Of the marker, or as the caller named it; undefined where there are no versions. */
  readonly versionId: string | undefined;
}

/** What is to become of what a condition is about. @returns whether to go on */
type Check = (current: StoredObject | undefined) => boolean;

@Injectable()
export class ObjectVersions {
  constructor(private readonly objects: ObjectRepository) {}

  /**
   * Fails early what would fail later, before any bytes are taken.
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
   * Makes an object the latest version of its key: a new one, or in place of the null version where
   * the bucket makes none. One statement, where there are no conditions and `ctx` has no transaction.
   * @throws S3Error PreconditionFailed, NoSuchKey, NoSuchBucket; AccessDenied if the null version is
   * locked; SlowDown if too many others write the key
   * @throws QueryFailedError inside a transaction, if another writer was quicker: see `repeated`
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
    const version = versionOf(bucket, object);
    const stored = await this.#store(ctx, version, isConditional(conditions) ? check : undefined);
    if (!stored) throw new Error('nothing kept an object from being stored, and yet it is not');
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
    const marker = markerOf(bucket, key);
    const stored = await this.#store(ctx, marker, isConditional(conditions) ? check : undefined);
    return { deleteMarker: stored !== undefined, versionId: stored?.versionId };
  }

  /**
   * Changes what a version is stored with, besides its bytes.
   * @throws S3Error NoSuchKey if it has gone, or has other bytes by now
   */
  async change(
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
    const isPlain =
      bucket.versioning === 'off' && !bucket.objectLock && !isConditional(options.conditions);
    const deleted = await repeated(ctx, (attempt) =>
      isPlain && attempt === 1
        ? this.objects.delete(ctx, name)
        : inTransaction(ctx, (tx) => this.#deleteLocked(tx, name, options)),
    );
    return { deleteMarker: deleted?.isDeleteMarker ?? false, versionId };
  }

  async #deleteLocked(
    tx: RequestContext,
    name: VersionName & { readonly versionId: string },
    { conditions, bypassGovernance }: RemoveOptions,
  ): Promise<Deleted | undefined> {
    await lockKey(tx, name.bucketId, Buffer.from(name.key));
    const current = await this.objects.findLocked(tx, name);
    if (!current) return undefined;
    checkDeleted(current, conditions);
    requireUnlocked(current, bypassGovernance);
    return this.objects.delete(tx, name);
  }

  /** @returns undefined if the check says not to */
  #store(
    ctx: RequestContext,
    version: NewVersion,
    check: Check | undefined,
  ): Promise<StoredObject | undefined> {
    return repeated(ctx, (attempt) =>
      attempt === 1 && !check && !isInTransaction(ctx)
        ? this.#replace(ctx, version)
        : inTransaction(ctx, (tx) => this.#storeLocked(tx, version, check)),
    );
  }

  async #storeLocked(
    tx: RequestContext,
    version: NewVersion,
    check: Check | undefined,
  ): Promise<StoredObject | undefined> {
    const { bucketId, key } = version;
    await lockKey(tx, bucketId, key);
    if (!check) return this.#replace(tx, version);
    const current = await this.objects.findLocked(tx, {
      bucketId,
      key: key.toString(),
      versionId: undefined,
    });
    if (!check(current)) return undefined;
    // Somebody without the lock may have stored the first version since: then this one must fail.
    if (!current) return asStored(version, await this.objects.insert(tx, version));
    return this.#replace(tx, version);
  }

  async #replace(ctx: RequestContext, version: NewVersion): Promise<StoredObject> {
    const given = await this.objects.publish(ctx, version);
    if (given) return asStored(version, given);
    throw new S3Error('AccessDenied', {
      message: 'Access Denied because object protected by object lock.',
    });
  }
}

/** Of two keys with one hash, one waits in vain: nothing worse. */
async function lockKey(tx: RequestContext, bucketId: BucketId, key: Buffer): Promise<void> {
  const hash = createHash('sha256').update(bucketId).update(key).digest('base64');
  await transactionLock(tx.manager, `object ${hash}`);
}

function asStored(version: NewVersion, given: Given): StoredObject {
  return { ...version, ...given, isLatest: true };
}

function versionIdIn({ versioning }: Bucket): string {
  return versioning === 'enabled' ? newVersionId() : NULL_VERSION;
}

function versionOf(
  bucket: Bucket,
  { key, ownerId, content, ...properties }: NewObject,
): NewVersion {
  return {
    ...properties,
    ...content,
    size: String(content.size),
    bucketId: bucket.id,
    key: Buffer.from(key),
    versionId: versionIdIn(bucket),
    isDeleteMarker: false,
    ownerId,
  };
}

function markerOf(bucket: Bucket, key: string): NewVersion {
  return {
    ...NO_PROPERTIES,
    ...NO_CONTENT,
    bucketId: bucket.id,
    key: Buffer.from(key),
    versionId: versionIdIn(bucket),
    isDeleteMarker: true,
    ownerId: bucket.projectId,
  };
}

const NO_CONTENT = {
  contentId: null,
  size: '0',
  etag: '',
  dataId: null,
  inline: null,
  partCount: null,
  checksum: null,
  encryption: null,
};
