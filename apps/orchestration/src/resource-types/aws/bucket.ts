/** A bucket. Public source: AWS CloudFormation user guide, "AWS::S3::Bucket". */
import type { BucketCannedACL } from '@aws-sdk/client-s3';
import { attribute, listOf, mapOf, oneOf, text } from '../declare.js';
import { asText, mapIn, mapsIn, textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { bucketType } from '../s3/bucket-type.js';
import { s3UrlOf, type NewBucket } from '../s3/buckets.js';
import type { Properties } from '../../constraints/property-schema.js';

/** Of a bucket, the last two say what is so anyway. */
const ACLS: Readonly<Record<string, BucketCannedACL>> = {
  Private: 'private',
  PublicRead: 'public-read',
  PublicReadWrite: 'public-read-write',
  AuthenticatedRead: 'authenticated-read',
  BucketOwnerRead: 'private',
  BucketOwnerFullControl: 'private',
};

export const bucket: ResourceType = {
  name: 'AWS::S3::Bucket',
  description: 'A place for objects.',
  properties: {
    AccessControl: text('Who may use it.', { constraints: [oneOf(...Object.keys(ACLS))] }),
    WebsiteConfiguration: mapOf(
      {
        IndexDocument: text('What is shown of a folder.'),
        ErrorDocument: text('What is shown of an error.'),
      },
      'How it is a website.',
    ),
    Tags: listOf(
      mapOf(
        {
          Key: text('The key.', { required: true }),
          Value: text('The value.', { required: true }),
        },
        'A tag.',
      ),
      'Its tags.',
    ),
  },
  attributes: {
    DomainName: attribute('string', 'The host of its URL.'),
    WebsiteURL: attribute('string', 'Its URL.'),
  },

  ...bucketType({
    bucketOf: (properties) => ({
      acl: ACLS[textIn(properties, 'AccessControl') ?? 'Private'] ?? 'private',
      tags: Object.fromEntries(
        (mapsIn(properties, 'Tags') ?? []).map(({ Key: key, Value: value }) => [
          asText(key),
          asText(value),
        ]),
      ),
      website: websiteOf(properties),
    }),
    isPurged: () => false,
    notEmpty: (name) => `The bucket you tried to delete is not empty (${name}).`,
  }),

  attributesOf(scope) {
    const root = s3UrlOf(scope).replace(/\/$/, '');
    return Promise.resolve({
      DomainName: new URL(root).hostname,
      WebsiteURL: `${root}/${scope.row.physicalId}`,
    });
  },
};

function websiteOf(properties: Properties): NewBucket['website'] {
  const website = mapIn(properties, 'WebsiteConfiguration');
  const [index, error] = ['IndexDocument', 'ErrorDocument'].map((name) =>
    textIn(website ?? {}, name),
  );
  if (index === undefined) return undefined;
  return {
    IndexDocument: { Suffix: index },
    ...(error === undefined ? {} : { ErrorDocument: { Key: error } }),
  };
}
