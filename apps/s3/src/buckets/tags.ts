/**
 * Tags of objects and buckets. Public source: Amazon S3 API reference, PutObjectTagging and
 * PutBucketTagging; user guide, "Categorizing objects using tags". Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import { queryOf } from '../http/s3-request.js';
import type { XmlElement, XmlTree } from '../http/xml.js';

export type Tags = Readonly<Record<string, string>>;

/** For an object; a bucket may have more. */
export const MAX_OBJECT_TAGS = 10;
export const MAX_BUCKET_TAGS = 50;
/** In UTF-16 units. */
const MAX_KEY = 128;
const MAX_VALUE = 256;
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const OF_AMAZON = /^aws:/i;

/** Reads `x-amz-tagging`: `a=1&b=2`. @throws S3Error InvalidArgument, InvalidTag */
export function headerTagsOf(headers: IncomingHttpHeaders): Tags {
  const header = headers['x-amz-tagging'];
  if (typeof header !== 'string' || header === '') return {};
  const pairs = header.split('&').map((pair) => {
    const [tag] = parsed(pair);
    if (tag) return tag;
    throw invalidArgument(
      'x-amz-tagging',
      header,
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
    );
  });
  return tagsOf(pairs, MAX_OBJECT_TAGS);
}

/** @returns one pair, or none for what is not encoded as a query */
function parsed(pair: string): [key: string, value: string][] {
  try {
    return [...queryOf(pair)];
  } catch {
    return [];
  }
}

/** @param tagging the element `Tagging`. @throws S3Error MalformedXML, InvalidTag */
export function xmlTagsOf(tagging: XmlElement, max: number): Tags {
  return tagListOf(tagging.need('TagSet'), max);
}

/** @param list an element with elements `Tag`. @throws S3Error MalformedXML, InvalidTag */
export function tagListOf(list: XmlElement, max: number): Tags {
  const pairs = list
    .children('Tag')
    .map((tag): [string, string] => [tag.need('Key').text, tag.need('Value').text]);
  return tagsOf(pairs, max);
}

/** The content of `Tagging`, sorted by key. */
export function tagsTree(tags: Tags): XmlTree {
  const pairs = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
  return { TagSet: { Tag: pairs.map(([Key, Value]) => ({ Key, Value })) } };
}

function tagsOf(pairs: readonly (readonly [string, string])[], max: number): Tags {
  if (pairs.length > max) throw invalid(`There are ${pairs.length} tags; ${max} are allowed.`);
  const tags = new Map<string, string>();
  for (const [key, value] of pairs) {
    requireTag(key, value);
    if (tags.has(key)) throw invalid('Cannot provide multiple Tags with the same key', key);
    tags.set(key, value);
  }
  return Object.fromEntries(tags);
}

function requireTag(key: string, value: string): void {
  if (key === '' || key.length > MAX_KEY || !ALLOWED.test(key))
    throw invalid('The TagKey you have provided is invalid', key);
  if (OF_AMAZON.test(key))
    throw invalid('System tags cannot be added or updated by the requester', key);
  if (value.length > MAX_VALUE || !ALLOWED.test(value))
    throw invalid('The TagValue you have provided is invalid', key);
}

function invalid(message: string, key?: string): S3Error {
  return new S3Error('InvalidTag', { message, details: key === undefined ? {} : { TagKey: key } });
}
