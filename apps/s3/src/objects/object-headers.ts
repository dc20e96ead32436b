/** The headers in which an object is answered. Public source: Amazon S3 API reference, GetObject. */
import type { Bucket } from '../buckets/bucket.entity.js';
import { encryptionHeaders } from '../content/encryption/encryption.js';
import { expirationHeaderOf } from '../lifecycle/expiration-header.js';
import type { FoundObject } from './found-object.js';
import { lockHeaders } from './lock-headers.js';
import { metadataHeaders } from './metadata.js';
import { shownStorageClass } from './storage-classes.js';
import { versionHeader } from './version-id.js';

export type Headers = Readonly<Record<string, string | undefined>>;

/** What tells whether a client has an object already: answers without it have these too. */
export function validators(object: FoundObject, { versioning }: Bucket): Record<string, string> {
  return {
    etag: `"${object.etag}"`,
    'last-modified': object.modifiedAt.toUTCString(),
    ...versionHeader(object.versionId, versioning),
  };
}

/** All but those that depend on which bytes are answered. */
export function objectHeaders(object: FoundObject, bucket: Bucket): Headers {
  const tags = Object.keys(object.tags).length;
  return {
    ...object.headers,
    ...metadataHeaders(object.metadata),
    ...validators(object, bucket),
    'accept-ranges': 'bytes',
    'x-amz-storage-class': shownStorageClass(object.storageClass),
    'x-amz-tagging-count': tags === 0 ? undefined : String(tags),
    'x-amz-expiration': object.isLatest ? expirationHeaderOf(bucket, object) : undefined,
    ...lockHeaders(object),
    ...encryptionHeaders(object.encryption),
  };
}
