/** A container as Swift describes one, which is a bucket here. */
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, flag, map, text } from '../declare.js';
import { asText, flagIn, isGiven, mapIn, textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { bucketType } from './bucket-type.js';
import { Buckets, s3UrlOf } from './buckets.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

/** What opens a container to all, as Swift says it. */
const ALL: Readonly<Record<string, readonly string[]>> = {
  'X-Container-Read': ['.r:*', '.r:*,.rlistings', '.rlistings,.r:*'],
  'X-Container-Write': ['.r:*', '*:*'],
};

function isOpen(properties: Properties, name: string): boolean {
  return ALL[name]?.includes((textIn(properties, name) ?? '').replaceAll(' ', '')) === true;
}

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
