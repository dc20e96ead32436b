/** What types that are a bucket share. */
import type { BucketCannedACL } from '@aws-sdk/client-s3';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, flag, listOf, map, mapOf, oneOf, text } from '../declare.js';
import { asText, flagIn, isGiven, mapIn, mapsIn, textIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { bucketNameOf, Buckets, s3UrlOf, type NewBucket } from './buckets.js';

export interface BucketDeclaration {
  nameOf?(properties: Properties): string | undefined;
  bucketOf(properties: Properties): NewBucket;
  /** Whether its objects go with it. */
  isPurged(properties: Properties): boolean;
  /** What is said of one that is not empty. */
  notEmpty(name: string): string;
}

type Made = Pick<ResourceType, 'create' | 'remove' | 'isRemoved' | 'read'>;

export function bucketType(declared: BucketDeclaration): Made {
  const nameOf = (scope: ResourceScope): string =>
    declared.nameOf?.(scope.properties) ?? bucketNameOf(scope);

  const removeOnce = (scope: ExistingScope): Promise<void> =>
    Buckets.use(scope, async (buckets) => {
      const { physicalId: name } = scope.row;
      try {
        if (declared.isPurged(scope.properties)) await buckets.purge(name);
        await buckets.remove(name);
      } catch (error) {
        const isFull = (error as { readonly name?: unknown }).name === 'BucketNotEmpty';
        if (!isFull) throw error;
        if (!declared.isPurged(scope.properties))
          throw new DomainError('conflict', declared.notEmpty(name), { cause: error });
      }
    });

  return {
    create: (scope) =>
      Buckets.use(scope, async (buckets) => {
        const name = nameOf(scope);
        await buckets.make(name, declared.bucketOf(scope.properties));
        return { physicalId: name };
      }),

    remove: removeOnce,
    /** What was not deleted with the first request is with the next. */
    async isRemoved(scope) {
      const isThere = await isBucketThere(scope);
      if (isThere) await removeOnce(scope);
      return !isThere;
    },

    async read(scope): Promise<JsonObject | undefined> {
      return (await isBucketThere(scope)) ? { name: scope.row.physicalId } : undefined;
    },
  };
}

function isBucketThere(scope: ExistingScope): Promise<boolean> {
  return Buckets.use(scope, (buckets) => buckets.isThere(scope.row.physicalId));
}

/** What opens a container to all, as Swift says it. */
const ALL: Readonly<Record<string, readonly string[]>> = {
  'X-Container-Read': ['.r:*', '.r:*,.rlistings', '.rlistings,.r:*'],
  'X-Container-Write': ['.r:*', '*:*'],
};

function isOpen(properties: Properties, name: string): boolean {
  return ALL[name]?.includes((textIn(properties, name) ?? '').replaceAll(' ', '')) === true;
}

/** A container as Swift describes one, which is a bucket here. */
export const container: ResourceType = {
  name: 'OS::Swift::Container',
  description: 'A place for objects: a bucket of the S3 service.',
  properties: {
    name: text('Its name; by default one is made.'),
    'X-Container-Read': text('Who may read its objects: .r:* for all.'),
    'X-Container-Write': text('Who may write objects: .r:* for all.'),
    'X-Container-Meta': map('What it carries: its tags.', { default: {} }),
    'X-Account-Meta': map('What its account carries, where there are accounts.', { default: {} }),
    PurgeOnDelete: flag('Whether its objects go with it.', { default: false, since: '2015.1' }),
  },
  attributes: {
    DomainName: attribute('string', 'The host of its URL.'),
    WebsiteURL: attribute('string', 'Its URL.'),
    RootURL: attribute('string', 'The URL above its own.'),
    ObjectCount: attribute('integer', 'How many objects it has.'),
    BytesUsed: attribute('integer', 'How many bytes they have.'),
    HeadContainer: attribute('map', 'Both, as Swift names them.'),
  },

  validate(properties) {
    if (Object.keys(mapIn(properties, 'X-Account-Meta') ?? {}).length > 0)
      throw new PropertyError('X-Account-Meta', 'X-Account-Meta is not supported.');
    for (const name of Object.keys(ALL))
      if (isGiven(properties, name) && textIn(properties, name) !== '' && !isOpen(properties, name))
        throw new PropertyError(
          name,
          `${name} is ${textIn(properties, name) ?? ''}: lists of users are not supported, only .r:* for all.`,
        );
  },

  ...bucketType({
    nameOf: (properties) => textIn(properties, 'name') || undefined,
    bucketOf: (properties) => ({
      acl: isOpen(properties, 'X-Container-Write')
        ? 'public-read-write'
        : isOpen(properties, 'X-Container-Read')
          ? 'public-read'
          : 'private',
      tags: Object.fromEntries(
        Object.entries(mapIn(properties, 'X-Container-Meta') ?? {}).map(([key, value]) => [
          key,
          asText(value),
        ]),
      ),
    }),
    isPurged: (properties) => flagIn(properties, 'PurgeOnDelete') === true,
    notEmpty: (name) => `Deleting non-empty container (${name}) when PurgeOnDelete is False`,
  }),

  async attributesOf(scope, names) {
    const root = s3UrlOf(scope).replace(/\/$/, '');
    const values: Record<string, Json> = {
      DomainName: new URL(root).hostname,
      RootURL: root,
      WebsiteURL: `${root}/${scope.row.physicalId}`,
    };
    const counted = ['ObjectCount', 'BytesUsed', 'HeadContainer'];
    if (names.some((name) => counted.includes(name))) {
      const { objects, bytes } = await Buckets.use(scope, (buckets) =>
        buckets.useOf(scope.row.physicalId),
      );
      const head: JsonObject = {
        'x-container-object-count': String(objects),
        'x-container-bytes-used': String(bytes),
      };
      Object.assign(values, { ObjectCount: objects, BytesUsed: bytes, HeadContainer: head });
    }
    return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  },
};

/** Of a bucket, the last two say what is so anyway. */
const ACLS: Readonly<Record<string, BucketCannedACL>> = {
  Private: 'private',
  PublicRead: 'public-read',
  PublicReadWrite: 'public-read-write',
  AuthenticatedRead: 'authenticated-read',
  BucketOwnerRead: 'private',
  BucketOwnerFullControl: 'private',
};

/** A bucket. Public source: AWS CloudFormation user guide, "AWS::S3::Bucket". */
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
