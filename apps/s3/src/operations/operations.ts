/**
 * Every operation of S3, how a request asks for it, and what it takes. An operation without a
 * handler answers `NotImplemented` by name. Of those that a request could ask for, the first in the
 * table counts; a write with a parameter or header outside of its row is refused
 * (`operation.ts`, `operation-row.ts`).
 * Public source: Amazon S3 API reference, "Actions"; Service Authorization Reference, "Actions,
 * resources, and condition keys for Amazon S3".
 */
import { CONTENT_HEADERS } from '../http/s3-request.js';
import {
  COPIED,
  CUSTOMER_KEY,
  DELETING,
  GRANTS,
  READ,
  REPEATED_ENCRYPTION,
  REPLACING,
  STORED,
  rowsOn,
} from './operation-row.js';

const [service, bucket, object] = [rowsOn('service'), rowsOn('bucket'), rowsOn('object')];

const ID = { parameters: ['id'] };
const CONTINUED = { parameters: ['continuation-token'] };
const OF_VERSION = { of: 'object', parameters: ['versionId'] } as const;
const LISTED = {
  acl: 'READ',
  headers: ['x-amz-optional-object-attributes'],
} as const;
/** The encryption of an upload, repeated. */
const OF_UPLOAD = [...CUSTOMER_KEY, ...REPEATED_ENCRYPTION];
const PAGE = ['delimiter', 'encoding-type', 'max-keys', 'prefix'];
const RESPONSE = CONTENT_HEADERS.map((name) => `response-${name}`);

/** A bucket has several such configurations, each with an id. */
function severalOf<const Name extends string>(query: string, name: Name) {
  const [get, put] = [`Get${name}Configuration`, `Put${name}Configuration`];
  return [
    bucket('GET', `${query}&id`, `GetBucket${name}Configuration`, get),
    bucket('GET', query, `ListBucket${name}Configurations`, get, CONTINUED),
    bucket('PUT', query, `PutBucket${name}Configuration`, put, ID),
    bucket('DELETE', query, `DeleteBucket${name}Configuration`, put, ID),
  ] as const;
}

export const OPERATIONS = [
  service(
    'GET',
    'max-directory-buckets',
    'ListDirectoryBuckets',
    'ListAllMyDirectoryBuckets',
    CONTINUED,
  ),
  service('GET', '', 'ListBuckets', 'ListAllMyBuckets', {
    parameters: ['bucket-region', 'continuation-token', 'max-buckets', 'prefix'],
  }),
  bucket('GET', 'abac', 'GetBucketAbac'),
  bucket('PUT', 'abac', 'PutBucketAbac'),
  bucket('GET', 'accelerate', 'GetBucketAccelerateConfiguration', 'GetAccelerateConfiguration'),
  bucket('PUT', 'accelerate', 'PutBucketAccelerateConfiguration', 'PutAccelerateConfiguration'),
  bucket('GET', 'acl', 'GetBucketAcl', { acl: 'READ_ACP' }),
  bucket('PUT', 'acl', 'PutBucketAcl', { acl: 'WRITE_ACP', headers: GRANTS }),
  ...severalOf('analytics', 'Analytics'),
  ...severalOf('intelligent-tiering', 'IntelligentTiering'),
  ...severalOf('inventory', 'Inventory'),
  ...severalOf('metrics', 'Metrics'),
  bucket('GET', 'cors', 'GetBucketCors', 'GetBucketCORS'),
  bucket('PUT', 'cors', 'PutBucketCors', 'PutBucketCORS'),
  bucket('DELETE', 'cors', 'DeleteBucketCors', 'PutBucketCORS'),
  bucket('GET', 'encryption', 'GetBucketEncryption', 'GetEncryptionConfiguration'),
  bucket('PUT', 'encryption', 'PutBucketEncryption', 'PutEncryptionConfiguration'),
  bucket('DELETE', 'encryption', 'DeleteBucketEncryption', 'PutEncryptionConfiguration'),
  bucket('GET', 'lifecycle', 'GetBucketLifecycleConfiguration', 'GetLifecycleConfiguration'),
  bucket('PUT', 'lifecycle', 'PutBucketLifecycleConfiguration', 'PutLifecycleConfiguration'),
  bucket('DELETE', 'lifecycle', 'DeleteBucketLifecycle', 'PutLifecycleConfiguration'),
  bucket('GET', 'location', 'GetBucketLocation'),
  bucket('GET', 'logging', 'GetBucketLogging'),
  bucket('PUT', 'logging', 'PutBucketLogging'),
  bucket('GET', 'notification', 'GetBucketNotificationConfiguration', 'GetBucketNotification'),
  bucket('PUT', 'notification', 'PutBucketNotificationConfiguration', 'PutBucketNotification'),
  bucket(
    'GET',
    'metadataConfiguration',
    'GetBucketMetadataConfiguration',
    'GetBucketMetadataTableConfiguration',
  ),
  bucket(
    'POST',
    'metadataConfiguration',
    'CreateBucketMetadataConfiguration',
    'CreateBucketMetadataTableConfiguration',
  ),
  bucket(
    'DELETE',
    'metadataConfiguration',
    'DeleteBucketMetadataConfiguration',
    'DeleteBucketMetadataTableConfiguration',
  ),
  bucket('GET', 'metadataTable', 'GetBucketMetadataTableConfiguration'),
  bucket('POST', 'metadataTable', 'CreateBucketMetadataTableConfiguration'),
  bucket('DELETE', 'metadataTable', 'DeleteBucketMetadataTableConfiguration'),
  bucket('PUT', 'metadataAnnotationTable', 'UpdateBucketMetadataAnnotationTableConfiguration'),
  bucket('PUT', 'metadataInventoryTable', 'UpdateBucketMetadataInventoryTableConfiguration'),
  bucket('PUT', 'metadataJournalTable', 'UpdateBucketMetadataJournalTableConfiguration'),
  bucket('GET', 'object-lock', 'GetObjectLockConfiguration', 'GetBucketObjectLockConfiguration'),
  bucket('PUT', 'object-lock', 'PutObjectLockConfiguration', 'PutBucketObjectLockConfiguration'),
  bucket('GET', 'ownershipControls', 'GetBucketOwnershipControls'),
  bucket('PUT', 'ownershipControls', 'PutBucketOwnershipControls'),
  bucket(
    'DELETE',
    'ownershipControls',
    'DeleteBucketOwnershipControls',
    'PutBucketOwnershipControls',
  ),
  bucket('GET', 'policy', 'GetBucketPolicy'),
  bucket('PUT', 'policy', 'PutBucketPolicy'),
  bucket('DELETE', 'policy', 'DeleteBucketPolicy'),
  bucket('GET', 'policyStatus', 'GetBucketPolicyStatus'),
  bucket('GET', 'publicAccessBlock', 'GetPublicAccessBlock', 'GetBucketPublicAccessBlock'),
  bucket('PUT', 'publicAccessBlock', 'PutPublicAccessBlock', 'PutBucketPublicAccessBlock'),
  bucket('DELETE', 'publicAccessBlock', 'DeletePublicAccessBlock', 'PutBucketPublicAccessBlock'),
  bucket('GET', 'replication', 'GetBucketReplication', 'GetReplicationConfiguration'),
  bucket('PUT', 'replication', 'PutBucketReplication', 'PutReplicationConfiguration'),
  bucket('DELETE', 'replication', 'DeleteBucketReplication', 'PutReplicationConfiguration'),
  bucket('GET', 'requestPayment', 'GetBucketRequestPayment'),
  bucket('PUT', 'requestPayment', 'PutBucketRequestPayment'),
  bucket('GET', 'tagging', 'GetBucketTagging'),
  bucket('PUT', 'tagging', 'PutBucketTagging'),
  bucket('DELETE', 'tagging', 'DeleteBucketTagging', 'PutBucketTagging'),
  bucket('GET', 'versioning', 'GetBucketVersioning'),
  bucket('PUT', 'versioning', 'PutBucketVersioning'),
  bucket('GET', 'website', 'GetBucketWebsite'),
  bucket('PUT', 'website', 'PutBucketWebsite'),
  bucket('DELETE', 'website', 'DeleteBucketWebsite'),
  bucket('GET', 'session', 'CreateSession'),
  bucket('GET', 'uploads', 'ListMultipartUploads', 'ListBucketMultipartUploads', {
    acl: 'READ',
    parameters: [
      'delimiter',
      'encoding-type',
      'key-marker',
      'max-uploads',
      'prefix',
      'upload-id-marker',
    ],
  }),
  bucket('GET', 'versions', 'ListObjectVersions', 'ListBucketVersions', {
    ...LISTED,
    parameters: [...PAGE, 'key-marker', 'version-id-marker'],
  }),
  bucket('GET', 'list-type=2', 'ListObjectsV2', 'ListBucket', {
    ...LISTED,
    parameters: [...PAGE, 'continuation-token', 'fetch-owner', 'start-after'],
  }),
  bucket('GET', '', 'ListObjects', 'ListBucket', { ...LISTED, parameters: [...PAGE, 'marker'] }),
  bucket('HEAD', '', 'HeadBucket', 'ListBucket', { acl: 'READ' }),
  bucket('PUT', '', 'CreateBucket', {
    headers: [...GRANTS, 'x-amz-bucket-object-lock-enabled', 'x-amz-object-ownership'],
  }),
  bucket('DELETE', '', 'DeleteBucket'),
  bucket('POST', 'delete', 'DeleteObjects', 'DeleteObject', {
    acl: 'WRITE',
    headers: ['x-amz-bypass-governance-retention'],
  }),
  bucket('POST', '', 'WriteGetObjectResponse', {
    header: 'x-amz-request-route',
  }),
  bucket('POST', '', 'PostObject', 'PutObject', { acl: 'WRITE', headers: STORED }),
  object('GET', 'acl', 'GetObjectAcl', { acl: 'READ_ACP', ...OF_VERSION }),
  object('PUT', 'acl', 'PutObjectAcl', {
    acl: 'WRITE_ACP',
    ...OF_VERSION,
    headers: GRANTS,
  }),
  object('GET', 'annotation&annotationName', 'GetObjectAnnotation', OF_VERSION),
  object('GET', 'annotation', 'ListObjectAnnotations', {
    parameters: ['annotation-prefix', 'continuation-token', 'max-annotation-results', 'versionId'],
  }),
  object('PUT', 'annotation', 'PutObjectAnnotation', {
    parameters: ['annotationName', 'versionId'],
    headers: ['x-amz-object-if-match'],
  }),
  object('DELETE', 'annotation', 'DeleteObjectAnnotation', {
    parameters: ['annotationName', 'versionId'],
    headers: ['x-amz-object-if-match'],
  }),
  object('GET', 'attributes', 'GetObjectAttributes', {
    acl: 'READ',
    ...OF_VERSION,
    headers: [
      'x-amz-max-parts',
      'x-amz-object-attributes',
      'x-amz-part-number-marker',
      ...CUSTOMER_KEY,
    ],
  }),
  object('PUT', 'encryption', 'UpdateObjectEncryption', OF_VERSION),
  object('GET', 'legal-hold', 'GetObjectLegalHold', OF_VERSION),
  object('PUT', 'legal-hold', 'PutObjectLegalHold', OF_VERSION),
  object('GET', 'retention', 'GetObjectRetention', OF_VERSION),
  object('PUT', 'renameObject', 'RenameObject', {
    headers: [
      'x-amz-client-token',
      'x-amz-rename-source',
      ...['', 'x-amz-rename-source-'].flatMap((of) =>
        ['if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since'].map(
          (condition) => of + condition,
        ),
      ),
    ],
  }),
  object('PUT', 'retention', 'PutObjectRetention', {
    ...OF_VERSION,
    headers: ['x-amz-bypass-governance-retention'],
  }),
  object('GET', 'tagging', 'GetObjectTagging', OF_VERSION),
  object('PUT', 'tagging', 'PutObjectTagging', OF_VERSION),
  object('DELETE', 'tagging', 'DeleteObjectTagging', OF_VERSION),
  object('GET', 'torrent', 'GetObjectTorrent', { of: 'object' }),
  object('POST', 'restore', 'RestoreObject', OF_VERSION),
  object('POST', 'select', 'SelectObjectContent', 'GetObject', {
    of: 'object',
    parameters: ['select-type'],
    headers: CUSTOMER_KEY,
  }),
  object('POST', 'uploads', 'CreateMultipartUpload', 'PutObject', {
    acl: 'WRITE',
    headers: STORED,
  }),
  object('POST', 'uploadId', 'CompleteMultipartUpload', 'PutObject', {
    acl: 'WRITE',
    headers: [...REPLACING, ...OF_UPLOAD, 'x-amz-checksum-type', 'x-amz-mp-object-size'],
    takesLong: true,
  }),
  object('DELETE', 'uploadId', 'AbortMultipartUpload', { acl: 'WRITE' }),
  // WRITE is enough: the id of an upload is known only to its creator.
  object('GET', 'uploadId', 'ListParts', 'ListMultipartUploadParts', {
    acl: 'WRITE',
    parameters: ['max-parts', 'part-number-marker'],
    headers: CUSTOMER_KEY,
  }),
  object('PUT', 'uploadId', 'UploadPartCopy', 'PutObject', {
    header: 'x-amz-copy-source',
    parameters: ['partNumber'],
    headers: [...COPIED, ...OF_UPLOAD, 'x-amz-copy-source-range'],
    acl: 'WRITE',
    takesLong: true,
  }),
  object('PUT', 'uploadId', 'UploadPart', 'PutObject', {
    parameters: ['partNumber'],
    headers: [...OF_UPLOAD, 'x-amz-checksum-algorithm', 'x-amz-checksum-type'],
    acl: 'WRITE',
  }),
  object('PUT', '', 'CopyObject', 'PutObject', {
    header: 'x-amz-copy-source',
    headers: [
      ...COPIED,
      ...REPLACING,
      ...STORED,
      'x-amz-metadata-directive',
      'x-amz-tagging-directive',
    ],
    acl: 'WRITE',
    takesLong: true,
  }),
  object('PUT', '', 'PutObject', { acl: 'WRITE', headers: [...REPLACING, ...STORED] }),
  object('GET', '', 'GetObject', {
    acl: 'READ',
    of: 'bytes',
    parameters: [...RESPONSE, 'partNumber', 'versionId'],
    headers: READ,
  }),
  object('HEAD', '', 'HeadObject', 'GetObject', {
    acl: 'READ',
    of: 'object',
    parameters: [...RESPONSE, 'partNumber', 'versionId'],
    headers: READ,
  }),
  object('DELETE', '', 'DeleteObject', {
    acl: 'WRITE',
    parameters: ['versionId'],
    headers: [...DELETING, 'x-amz-bypass-governance-retention'],
  }),
] as const;

export type OperationName = (typeof OPERATIONS)[number]['name'];
