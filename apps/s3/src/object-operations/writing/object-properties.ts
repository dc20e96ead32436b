/**
 * What an object is stored with besides its bytes, as the headers of a request say. Public source:
 * Amazon S3 API reference, PutObject.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { aclOf } from '../../access/acl-request.js';
import { ownerOfNew } from '../../access/ownership.js';
import { headerTagsOf } from '../../buckets/tags.js';
import { S3Error } from '../../http/s3-error.js';
import { CONTENT_HEADERS, requireHeader } from '../../http/s3-request.js';
import type { ContentHeaders, ObjectProperties } from '../../objects/object.entity.js';
import type { BucketCall } from '../../operations/operation.js';
import { lockOf } from '../locks/retention.js';

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

const STORED = [...CONTENT_HEADERS, 'x-amz-website-redirect-location'] as const;

/** What an object whose client names no type is. */
const UNKNOWN_TYPE = 'binary/octet-stream';
const MAX_REDIRECT_BYTES = 2048;

/**
 * Headers that are stored with an object and answered with it.
 *
 * @throws S3Error InvalidArgument for what no header can have, InvalidRedirectLocation
 */
export function contentHeadersOf(headers: IncomingHttpHeaders): ContentHeaders {
  const stored: Record<string, string> = {};
  for (const name of STORED) {
    const value = headers[name];
    if (typeof value !== 'string' || value === '') continue;
    // A presigned address has any text for a header.
    requireHeader(name, value);
    stored[name] = value;
  }
  const encoding = withoutChunking(stored['content-encoding']);
  if (encoding === undefined) delete stored['content-encoding'];
  else stored['content-encoding'] = encoding;
  stored['content-type'] ??= UNKNOWN_TYPE;
  const redirect = stored['x-amz-website-redirect-location'];
  if (redirect !== undefined) requireRedirect(redirect);
  return stored;
}

/** How a body was framed on its way is no property of an object. */
function withoutChunking(encoding = ''): string | undefined {
  const encodings = encoding.split(',').filter((one) => one.trim().toLowerCase() !== 'aws-chunked');
  return encodings.join(',').trim() || undefined;
}

function requireRedirect(location: string): void {
  const isAddress = /^(?:\/|https?:\/\/)/.test(location);
  if (isAddress && Buffer.byteLength(location) <= MAX_REDIRECT_BYTES) return;
  throw new S3Error('InvalidRedirectLocation', {
    message: isAddress
      ? `The website redirect location must not be longer than ${MAX_REDIRECT_BYTES} bytes.`
      : "The website redirect location must have a prefix of 'http://' or 'https://' or '/'.",
  });
}

const STANDARD = 'STANDARD';
const ARCHIVES = ['GLACIER', 'DEEP_ARCHIVE'];
/**
 * The storage classes that clients know. They are a name here: whatever its class, an object is
 * stored alike and read at once. Public source: Amazon S3 user guide, "Storage classes".
 */
const CLASSES = [
  STANDARD,
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  ...ARCHIVES,
];

/** @throws S3Error InvalidStorageClass */
function storageClassOf(headers: IncomingHttpHeaders): string {
  const name = headers['x-amz-storage-class'] ?? STANDARD;
  if (typeof name === 'string' && CLASSES.includes(name)) return name;
  throw new S3Error('InvalidStorageClass', { details: { StorageClassRequested: String(name) } });
}

/** Whether Amazon restores objects of this class before they are read. */
export function isArchive(storageClass: string): boolean {
  return ARCHIVES.includes(storageClass);
}

/** Answers name a class only if it is not the usual one. */
export function shownStorageClass(storageClass: string): string | undefined {
  return storageClass === STANDARD ? undefined : storageClass;
}

export type Metadata = Readonly<Record<string, string>>;

const PREFIX = 'x-amz-meta-';
/** Of all names and values together. */
const MAX_BYTES = 2048;

/**
 * The words of a client that stand with its object. Public source: Amazon S3 user guide, "Working
 * with object metadata"; RFC 2047, 2.
 *
 * @throws S3Error MetadataTooLarge; InvalidArgument for what cannot be stored
 */
export function metadataOf(headers: IncomingHttpHeaders): Metadata {
  const metadata = new Map<string, string>();
  let size = 0;
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(PREFIX) || value === undefined) continue;
    const name = header.slice(PREFIX.length);
    const text = textOf(Array.isArray(value) ? value.join(',') : value);
    size += Buffer.byteLength(name) + Buffer.byteLength(text);
    metadata.set(name, text);
  }
  if (size <= MAX_BYTES) return Object.fromEntries(metadata);
  throw new S3Error('MetadataTooLarge', { details: { Size: size, MaxSizeAllowed: MAX_BYTES } });
}

/** Headers that are no ASCII come as RFC 2047 has it: a client reads them as it reads mail. */
export function metadataHeaders(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, text]) => [PREFIX + name, encodedHeader(text)]),
  );
}

/** Node reads headers as Latin-1; what is UTF-8 is meant as that. */
function textOf(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/** Bytes that fit into one encoded word of at most 75 characters, in whole characters. */
const MAX_WORD_BYTES = 45;

function encodedHeader(text: string): string {
  if (/^[\t\x20-\x7e]*$/.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > MAX_WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  const encoded = [...words, word].map(
    (one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`,
  );
  return encoded.join(' ');
}
