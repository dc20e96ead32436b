/** Versions of objects: their ids (32 random characters, or `null`), and the rows of new ones. */
import { randomBytes } from 'node:crypto';
import type { ContentId } from '../content/received.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import type { S3Query, S3Request } from '../http/s3-request.js';
import { NULL_VERSION, type StoredObject, type ObjectProperties } from './object.entity.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { CreatedBy } from '../notifications/event-record.js';
import type { Given, NewVersion } from './object.repository.js';

const VERSION_ID = /^(?:null|[\w-]{32})$/;

/** Hexadecimal, because an ID that begins with a dash would be an option on command lines. */
export function newVersionId(): string {
  return randomBytes(16).toString('hex');
}

/** @returns undefined if the request names none. @throws S3Error InvalidArgument */
export function versionIdOf(query: S3Query): string | undefined {
  const versionId = query.get('versionId');
  if (versionId !== undefined) requireVersionId(versionId);
  return versionId;
}

/**
 * @param argument the name of the query parameter
 * @throws S3Error InvalidArgument for a malformed ID
 */
export function requireVersionId(versionId: string, argument = 'versionId'): void {
  if (VERSION_ID.test(versionId)) return;
  throw invalidArgument(
    argument,
    versionId,
    versionId === '' ? 'Version id cannot be the empty string' : 'Invalid version id specified',
  );
}

/** No header where the bucket has never had versions. */
export function versionHeader(versionId: string, versioning: string): Record<string, string> {
  return versioning === 'off' && versionId === NULL_VERSION
    ? {}
    : { 'x-amz-version-id': versionId };
}

export function newVersionHeader(versionId: string): Record<string, string> {
  return versionId === NULL_VERSION ? {} : { 'x-amz-version-id': versionId };
}

/** An object that has bytes: not a delete marker. */
export type FoundObject = StoredObject & { readonly contentId: ContentId };

interface AboutObject {
  readonly request: Pick<S3Request, 'query'>;
  readonly key: string;
  readonly object: StoredObject | undefined;
}

/**
 * @throws S3Error NoSuchKey; NoSuchVersion, InvalidArgument and MethodNotAllowed (for a marker)
 * where the request names a version. Headers tell markers from what never was.
 */
export function requireObject({ request, key, object }: AboutObject): FoundObject {
  return requireFound(object, { key, versionId: request.query.get('versionId') });
}

/** @param versionId undefined if the latest was asked for */
export function requireFound(
  object: StoredObject | undefined,
  { key, versionId }: { readonly key: string; readonly versionId: string | undefined },
): FoundObject {
  if (versionId !== undefined) requireVersionId(versionId);
  if (object && isFound(object)) return object;
  if (versionId === undefined)
    throw new S3Error('NoSuchKey', { details: { Key: key }, headers: absenceHeaders(object) });
  if (!object) throw new S3Error('NoSuchVersion', { details: { Key: key, VersionId: versionId } });
  throw new S3Error('MethodNotAllowed', {
    allow: ['DELETE'],
    details: { Method: 'GET', ResourceType: 'DeleteMarker' },
    headers: { ...absenceHeaders(object), 'last-modified': object.modifiedAt.toUTCString() },
  });
}

function isFound(object: StoredObject): object is FoundObject {
  return !object.isDeleteMarker;
}

function absenceHeaders(marker: StoredObject | undefined): Record<string, string> {
  return marker
    ? { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.versionId }
    : { 'x-amz-delete-marker': 'false' };
}

export const NO_PROPERTIES: ObjectProperties = {
  headers: {},
  metadata: {},
  tags: {},
  acl: null,
  storageClass: 'STANDARD',
  retentionMode: null,
  retainUntil: null,
  legalHold: false,
  legalHoldTold: false,
};

/** Stored bytes, or the assembled parts of an upload. */
type NewContent = Pick<
  NewVersion,
  'dataId' | 'inline' | 'partCount' | 'checksum' | 'encryption' | 'etag'
> & { readonly contentId: NonNullable<StoredObject['contentId']>; readonly size: number };

export interface NewObject extends ObjectProperties {
  readonly key: string;
  /** The project that owns it. */
  readonly ownerId: string;
  readonly content: NewContent;
  /** The kind of request, as events name it; `Put` by default. */
  readonly createdBy?: CreatedBy;
}

export function asStored(version: NewVersion, given: Given): StoredObject {
  return { ...version, ...given, isLatest: true };
}

function versionIdIn({ versioning }: Bucket): string {
  return versioning === 'enabled' ? newVersionId() : NULL_VERSION;
}

export function versionOf(
  bucket: Bucket,
  { key, ownerId, content, createdBy: _, ...properties }: NewObject,
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

/** A delete marker. */
export function markerOf(bucket: Bucket, key: string): NewVersion {
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
