/** Configurations that are a value or a list of values, without rules. */
import { type Bucket, OBJECT_OWNERSHIPS } from '../buckets/bucket.entity.js';
import { MAX_BUCKET_TAGS, tagsTree, xmlTagsOf } from '../buckets/tags.js';
import { S3Error } from '../http/s3-error.js';
import { booleanOf, choiceOf, requireOnly, type XmlElement } from '../http/xml.js';
import type { ConfigurationPage } from './configuration.operations.js';

/** Ownership controls. Public source: Amazon S3 API reference, "PutBucketOwnershipControls". */
export const OWNERSHIP: ConfigurationPage<'ownership'> = {
  kind: 'ownership',
  root: 'OwnershipControls',
  operations: {
    get: 'GetBucketOwnershipControls',
    put: 'PutBucketOwnershipControls',
    delete: 'DeleteBucketOwnershipControls',
  },
  absent: 'OwnershipControlsNotFoundError',

  parse(document, bucket) {
    requireOnly(document, ['Rule']);
    const ownership = choiceOf(document.need('Rule').need('ObjectOwnership'), OBJECT_OWNERSHIPS);
    if (ownership === 'BucketOwnerEnforced' && grantsOthers(bucket))
      throw new S3Error('InvalidBucketAclWithObjectOwnership');
    return ownership;
  },

  show: (ownership) => ({ Rule: { ObjectOwnership: ownership } }),
};

/** Whether its ACL grants anything to others. */
function grantsOthers({ acl, projectId }: Bucket): boolean {
  return (acl?.grants ?? []).some(
    ({ grantee }) => grantee.kind === 'group' || grantee.id !== (projectId as string),
  );
}

const NAMES = [
  'BlockPublicAcls',
  'IgnorePublicAcls',
  'BlockPublicPolicy',
  'RestrictPublicBuckets',
] as const;

/** The public access block. Public source: Amazon S3 API reference, "PutPublicAccessBlock". */
export const PUBLIC_ACCESS_BLOCK: ConfigurationPage<'publicAccessBlock'> = {
  kind: 'publicAccessBlock',
  root: 'PublicAccessBlockConfiguration',
  operations: {
    get: 'GetPublicAccessBlock',
    put: 'PutPublicAccessBlock',
    delete: 'DeletePublicAccessBlock',
  },
  absent: 'NoSuchPublicAccessBlockConfiguration',

  parse(document) {
    requireOnly(document, NAMES);
    return {
      blockPublicAcls: isSet(document, 'BlockPublicAcls'),
      ignorePublicAcls: isSet(document, 'IgnorePublicAcls'),
      blockPublicPolicy: isSet(document, 'BlockPublicPolicy'),
      restrictPublicBuckets: isSet(document, 'RestrictPublicBuckets'),
    };
  },

  show: (block) => ({
    BlockPublicAcls: block.blockPublicAcls,
    IgnorePublicAcls: block.ignorePublicAcls,
    BlockPublicPolicy: block.blockPublicPolicy,
    RestrictPublicBuckets: block.restrictPublicBuckets,
  }),
};

function isSet(document: XmlElement, name: (typeof NAMES)[number]): boolean {
  const element = document.child(name);
  return element !== undefined && booleanOf(element);
}

/** Who pays for requests. Public source: Amazon S3 API reference, "PutBucketRequestPayment". */
export const REQUEST_PAYMENT: ConfigurationPage<'requestPayment'> = {
  kind: 'requestPayment',
  root: 'RequestPaymentConfiguration',
  operations: { get: 'GetBucketRequestPayment', put: 'PutBucketRequestPayment' },
  absent: { shown: { Payer: 'BucketOwner' } },
  parse(document) {
    requireOnly(document, ['Payer']);
    const payer = choiceOf(document.need('Payer'), ['BucketOwner', 'Requester']);
    return payer === 'BucketOwner' ? null : payer;
  },
  show: (payer) => ({ Payer: payer }),
};

/** Tags of a bucket. Public source: Amazon S3 API reference, "PutBucketTagging". */
export const TAGGING: ConfigurationPage<'tagging'> = {
  kind: 'tagging',
  root: 'Tagging',
  operations: { get: 'GetBucketTagging', put: 'PutBucketTagging', delete: 'DeleteBucketTagging' },
  absent: 'NoSuchTagSet',
  putStatus: 204,
  parse: (document) => xmlTagsOf(document, MAX_BUCKET_TAGS),
  show: tagsTree,
};
