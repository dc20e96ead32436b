/** Lists of keys as documents. */
import { ownerTree } from '../access/acl-document.js';
import type { XmlTree } from '../http/xml.js';
import type { ListingRequest } from './listing-request.js';
import type { ListedObject, ListingEntry } from './listing.repository.js';

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
