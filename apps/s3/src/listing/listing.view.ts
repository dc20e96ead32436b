/** Lists of keys: what they are asked for with, and what they are as documents. */
import { ownerTree } from '../access/acl-document.js';
import { invalidArgument } from '../http/s3-error.js';
import { headerOf, type S3Request } from '../http/s3-request.js';
import type { XmlTree } from '../http/xml.js';
import { encodingOf, numberOf } from '../operations/list-parameters.js';
import type { ListedObject, ListingEntry } from './listing.repository.js';

/** Also where a client asks for more. */
const MAX_KEYS = 1000;
/** Of an object that Amazon has archived; here each is read at once, and has none to show. */
const OPTIONAL_ATTRIBUTES = ['RestoreStatus'];

/**
 * What all lists of keys are asked for with. Public source: Amazon S3 API reference, ListObjects.
 */
export interface ListingRequest {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** As the client sent it. */
  readonly encodingType: string | undefined;
  /** How the client wants keys, prefixes and delimiters written. */
  readonly encode: (text: string) => string;
}

/** @throws S3Error InvalidArgument */
export function listingRequestOf(request: Pick<S3Request, 'query' | 'headers'>): ListingRequest {
  const { query } = request;
  const delimiter = query.get('delimiter') ?? '';
  // Ceph's own: keys in any order. That of their bytes is one, and common prefixes have no other.
  if (query.get('allow-unordered') === 'true' && delimiter !== '')
    throw invalidArgument(
      'allow-unordered',
      'true',
      'A list that may be unordered has no delimiter.',
    );
  requireAttributes(headerOf(request, 'x-amz-optional-object-attributes') ?? '');
  return {
    prefix: query.get('prefix') ?? '',
    delimiter,
    maxKeys: Math.min(numberOf(query, 'max-keys') ?? MAX_KEYS, MAX_KEYS),
    encodingType: query.get('encoding-type'),
    encode: encodingOf(query),
  };
}

function requireAttributes(header: string): void {
  const names = header.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '' && !OPTIONAL_ATTRIBUTES.includes(name));
  if (unknown === undefined) return;
  throw invalidArgument(
    'x-amz-optional-object-attributes',
    header,
    `Invalid attribute name specified: ${unknown}.`,
  );
}

type Elements = Readonly<Record<string, XmlTree>>;

export interface FoundPage {
  readonly entries: readonly ListingEntry[];
  /** The last entry, if others follow. */
  readonly next: ListingEntry | undefined;
}

/**
 * @param find entries, at most as many as it is told
 * @returns nothing of what follows for a page without keys: Amazon says then that there is no more
 */
export async function pageOf(
  { maxKeys }: ListingRequest,
  find: (limit: number) => Promise<ListingEntry[]>,
): Promise<FoundPage> {
  if (maxKeys === 0) return { entries: [], next: undefined };
  const found = await find(maxKeys + 1);
  const entries = found.slice(0, maxKeys);
  return { entries, next: found.length > maxKeys ? entries.at(-1) : undefined };
}

/** What every list says about itself. */
export function frameOf(
  { prefix, delimiter, maxKeys, encodingType, encode }: ListingRequest,
  name: string,
  { next }: FoundPage,
): Elements {
  return {
    Name: name,
    Prefix: encode(prefix),
    MaxKeys: maxKeys,
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    EncodingType: encodingType,
    IsTruncated: next !== undefined,
  };
}

export function commonPrefixes({ encode }: ListingRequest, { entries }: FoundPage): Elements {
  const names = entries.flatMap(({ name, object }) => (object ? [] : [name]));
  return { CommonPrefixes: names.map((name) => ({ Prefix: encode(name) })) };
}

/** Of an object, without its owner. */
export function objectElements(object: ListedObject): Elements {
  return {
    LastModified: object.modifiedAt,
    ETag: `"${object.etag}"`,
    ChecksumAlgorithm: object.checksum?.algorithm,
    ChecksumType: object.checksum?.type,
    Size: object.size,
    StorageClass: object.storageClass,
  };
}

export function ownerElement({ ownerId }: Pick<ListedObject, 'ownerId'>): Elements {
  return { Owner: ownerTree(ownerId) };
}

/** The objects of a page, and its common prefixes. */
export function contentsOf(asked: ListingRequest, page: FoundPage, hasOwners: boolean): Elements {
  const contents = page.entries.flatMap(({ name, object }): Elements[] => {
    const owner = hasOwners && object ? ownerElement(object) : {};
    return object ? [{ Key: asked.encode(name), ...objectElements(object), ...owner }] : [];
  });
  return { Contents: contents, ...commonPrefixes(asked, page) };
}
