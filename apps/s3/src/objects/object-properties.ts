/**
 * What an object is stored with besides its bytes, as the headers of a request say. Public source:
 * Amazon S3 API reference, PutObject.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Acl } from '../access/acl.js';
import { aclOf } from '../access/acl-request.js';
import { ownerOfNew } from '../access/ownership.js';
import type { BucketCall } from '../operations/operation.js';
import { contentHeadersOf } from './content-headers.js';
import { lockOf } from './lock-headers.js';
import { metadataOf } from './metadata.js';
import type { RetentionMode } from './lock/retention-mode.js';
import type { ContentHeaders } from './object.entity.js';
import { storageClassOf } from './storage-classes.js';
import { headerTagsOf, type Tags } from './tags.js';

export interface ObjectProperties {
  readonly headers: ContentHeaders;
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: Tags;
  /** Null: its owner alone has all permissions. */
  readonly acl: Acl | null;
  readonly storageClass: string;
  readonly retentionMode: RetentionMode | null;
  readonly retainUntil: Date | null;
  readonly legalHold: boolean;
  readonly legalHoldTold: boolean;
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

/**
 * @param headers by default those of the request; a form's fields stand for headers
 * @throws S3Error InvalidArgument, InvalidRequest, InvalidStorageClass, InvalidTag, MetadataTooLarge
 */
export function propertiesOf(
  { bucket, request, caller }: Pick<BucketCall, 'bucket' | 'request' | 'caller'>,
  headers: IncomingHttpHeaders = request.headers,
): ObjectProperties {
  return {
    headers: contentHeadersOf(headers),
    metadata: metadataOf(headers),
    tags: headerTagsOf(headers),
    acl: aclOf(headers, ownerOfNew(bucket, caller, headers), bucket.projectId),
    storageClass: storageClassOf(headers),
    ...lockOf(headers, bucket),
  };
}
