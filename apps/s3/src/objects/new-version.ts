/** The rows of versions that are to be stored. Pure. */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { CreatedBy } from '../notifications/event-record.js';
import { NULL_VERSION, type ObjectProperties, type StoredObject } from './object.entity.js';
import type { Given, NewVersion } from './object.repository.js';
import { newVersionId } from './version-id.js';

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
  /** By which kind of request, as events name them: `Put` by default. */
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

/** Says that there is no object of the key any more. */
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
