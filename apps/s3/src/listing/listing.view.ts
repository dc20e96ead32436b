/** Requests for lists of keys, and their documents. */
import { ownerTree } from '../access/acl-document.js';
import { invalidArgument } from '../http/s3-error.js';
import { headerOf, type S3Request } from '../http/s3-request.js';
import type { XmlTree } from '../http/xml.js';
import { encodingOf, numberOf } from '../operations/list-parameters.js';
import type { ListedObject, ListingEntry } from './listing.repository.js';

/** The limit even if a client asks for more. */
const MAX_KEYS = 1000;
/** Status of archived objects; no object has one here. */
const OPTIONAL_ATTRIBUTES = ['RestoreStatus'];

/** Parameters common to all lists of keys. Public source: Amazon S3 API reference, ListObjects. */
export interface ListingRequest {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  readonly encodingType: string | undefined;
  /** Encodes keys, prefixes and delimiters as the client asked. */
  readonly encode: (text: string) => string;
}

/** @throws S3Error InvalidArgument */
export function listingRequestOf(request: Pick<S3Request, 'query' | 'headers'>): ListingRequest {
  const { query } = request;
  const delimiter = query.get('delimiter') ?? '';
  // An extension of Ceph: keys in any order, which excludes common prefixes.
  if (query.get('allow-unordered') === 'true' && delimiter !== '')
    throw invalidArgument('allow-unordered', 'true', 'An unordered list cannot have a delimiter.');
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
  /** The last entry, if more follow. */
  readonly next: ListingEntry | undefined;
}

/**
 * @param find entries, at most the given number
 * @returns no continuation for a page without keys, as Amazon does
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

export function contentsOf(asked: ListingRequest, page: FoundPage, hasOwners: boolean): Elements {
  const contents = page.entries.flatMap(({ name, object }): Elements[] => {
    const owner = hasOwners && object ? ownerElement(object) : {};
    return object ? [{ Key: asked.encode(name), ...objectElements(object), ...owner }] : [];
  });
  return { Contents: contents, ...commonPrefixes(asked, page) };
}
