/**
 * Properties of an object besides its bytes, from the headers of a request. Public source: Amazon S3
 * API reference, PutObject.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { aclOf, ownerOfNew } from '../../access/acl-request.js';
import type { Bucket, RetentionMode } from '../../buckets/bucket.entity.js';
import { headerTagsOf } from '../../buckets/tags.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import { CONTENT_HEADERS, requireHeader } from '../../http/s3-request.js';
import type {
  ContentHeaders,
  ObjectProperties,
  StoredObject,
} from '../../objects/object.entity.js';
import type { BucketCall } from '../../operations/operation.js';

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

const UNKNOWN_TYPE = 'binary/octet-stream';
const MAX_REDIRECT_BYTES = 2048;

/**
 * Headers that are stored with an object and answered with it.
 * @throws S3Error InvalidArgument for what no header can have, InvalidRedirectLocation
 */
export function contentHeadersOf(headers: IncomingHttpHeaders): ContentHeaders {
  const stored: Record<string, string> = {};
  for (const name of STORED) {
    const value = headers[name];
    if (typeof value !== 'string' || value === '') continue;
    // A presigned URL may carry any text as a header.
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

/** `aws-chunked` describes the transfer, not the object. */
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

/** Answers leave STANDARD out. */
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

/** Values beyond ASCII are encoded by RFC 2047. */
export function metadataHeaders(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, text]) => [PREFIX + name, encodedHeader(text)]),
  );
}

/** Node reads headers as Latin-1; valid UTF-8 is decoded as such. */
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

export type Retention = Pick<StoredObject, 'retentionMode' | 'retainUntil'>;

export const RETENTION_MODES: readonly RetentionMode[] = ['GOVERNANCE', 'COMPLIANCE'];

export type VersionLock = Pick<
  StoredObject,
  'retentionMode' | 'retainUntil' | 'legalHold' | 'legalHoldTold'
>;

const MODE = 'x-amz-object-lock-mode';
const UNTIL = 'x-amz-object-lock-retain-until-date';
const LEGAL_HOLD = 'x-amz-object-lock-legal-hold';

/**
 * The lock of a new object; the bucket's defaults apply to omitted parts. Public source: Amazon S3
 * API reference, PutObject; user guide, "Locking objects with Object Lock".
 * @throws S3Error InvalidArgument; InvalidRequest if the bucket's objects cannot be locked
 */
export function lockOf(
  headers: IncomingHttpHeaders,
  bucket: Bucket,
  now = new Date(),
): VersionLock {
  const [mode, until, hold] = [headers[MODE], headers[UNTIL], headers[LEGAL_HOLD]].map((value) =>
    value === undefined ? undefined : String(value),
  );
  if (mode === undefined && until === undefined && hold === undefined)
    return { ...defaultRetention(bucket, now), legalHold: false, legalHoldTold: false };
  if (!bucket.objectLock)
    throw new S3Error('InvalidRequest', { message: 'Bucket is missing Object Lock Configuration' });
  if (hold !== undefined && hold !== 'ON' && hold !== 'OFF')
    throw invalidArgument(LEGAL_HOLD, hold, "Legal Hold must be either of 'ON' or 'OFF'");
  const asked = headerRetentionOf(mode, until, now) ?? defaultRetention(bucket, now);
  return { ...asked, legalHold: hold === 'ON', legalHoldTold: hold !== undefined };
}

function defaultRetention({ objectLock, configurations }: Bucket, now: Date): Retention {
  const retention = objectLock ? configurations.objectLock : undefined;
  if (!retention) return { retentionMode: null, retainUntil: null };
  const retainUntil = new Date(now);
  const { mode, days = 0, years = 0 } = retention;
  retainUntil.setUTCFullYear(
    now.getUTCFullYear() + years,
    now.getUTCMonth(),
    now.getUTCDate() + days,
  );
  return { retentionMode: mode, retainUntil };
}

function headerRetentionOf(
  mode: string | undefined,
  until: string | undefined,
  now: Date,
): Retention | undefined {
  if (mode === undefined && until === undefined) return undefined;
  if (mode === undefined || until === undefined)
    throw invalidArgument(
      mode === undefined ? MODE : UNTIL,
      '',
      `${UNTIL} and ${MODE} must both be supplied`,
    );
  const retentionMode = RETENTION_MODES.find((one) => one === mode);
  if (retentionMode === undefined) throw invalidArgument(MODE, mode, 'Unknown wormMode directive.');
  const retainUntil = new Date(until);
  if (Number.isNaN(retainUntil.getTime()))
    throw invalidArgument(
      UNTIL,
      until,
      'The retain until date must be provided in ISO 8601 format',
    );
  if (retainUntil <= now)
    throw invalidArgument(UNTIL, until, 'The retain until date must be in the future!');
  return { retentionMode, retainUntil };
}

export function lockHeaders({
  retentionMode,
  retainUntil,
  legalHold,
  legalHoldTold,
}: VersionLock): Record<string, string> {
  return {
    ...(retentionMode === null ? {} : { [MODE]: retentionMode }),
    ...(retainUntil === null ? {} : { [UNTIL]: retainUntil.toISOString() }),
    ...(legalHold || legalHoldTold ? { [LEGAL_HOLD]: legalHold ? 'ON' : 'OFF' } : {}),
  };
}
