/** Conditional reads, copies, writes and deletes. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import type { StoredObject } from './object.entity.js';

/**
 * Conditions under which an object is read or copied. Public source: Amazon S3 API reference,
 * GetObject and CopyObject; RFC 9110, 13.2.2. Pure.
 */
export interface ReadConditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly ifUnmodifiedSince: string | undefined;
}

/** @param prefix `x-amz-copy-source-` for those of the source of a copy */
export function readConditionsOf(headers: IncomingHttpHeaders, prefix = ''): ReadConditions {
  const header = (name: string): string | undefined => {
    const value = headers[prefix + name];
    return Array.isArray(value) ? value.join(',') : value;
  };
  return {
    ifMatch: header('if-match'),
    ifNoneMatch: header('if-none-match'),
    ifModifiedSince: header('if-modified-since'),
    ifUnmodifiedSince: header('if-unmodified-since'),
  };
}

type Read = Pick<StoredObject, 'etag' | 'modifiedAt'>;

/**
 * A condition on the tag outdoes that on the time.
 * @param headers by which a client knows what it has
 * @throws S3Error PreconditionFailed naming the condition; NotModified if the client has it already
 */
export function checkRead(
  object: Read,
  conditions: ReadConditions,
  headers: Readonly<Record<string, string>> = {},
): void {
  const failed = failedOf(object, conditions);
  if (failed === undefined) return;
  if (failed === 'If-Match' || failed === 'If-Unmodified-Since') throw preconditionFailed(failed);
  throw new S3Error('NotModified', { headers });
}

/** The same for the source of a copy, which never answers NotModified. */
export function checkCopied(object: Read, conditions: ReadConditions): void {
  const failed = failedOf(object, conditions);
  if (failed !== undefined) throw preconditionFailed(`x-amz-copy-source-${failed}`);
}

/** @param condition the header that asks for it */
function preconditionFailed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', { details: { Condition: condition } });
}

function failedOf({ etag, modifiedAt }: Read, conditions: ReadConditions): string | undefined {
  const { ifMatch, ifNoneMatch } = conditions;
  const modifiedSince = secondsOf(conditions.ifModifiedSince);
  const unmodifiedSince = secondsOf(conditions.ifUnmodifiedSince);
  const modified = Math.floor(modifiedAt.getTime() / 1000);
  if (ifMatch !== undefined) {
    if (!namesTag(ifMatch, etag)) return 'If-Match';
  } else if (unmodifiedSince !== undefined && modified > unmodifiedSince) {
    return 'If-Unmodified-Since';
  }
  if (ifNoneMatch !== undefined) {
    if (namesTag(ifNoneMatch, etag)) return 'If-None-Match';
  } else if (modifiedSince !== undefined && modified <= modifiedSince) {
    return 'If-Modified-Since';
  }
  return undefined;
}

/** @returns undefined for an invalid time, whose condition is ignored */
export function secondsOf(time: string | undefined): number | undefined {
  const milliseconds = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/**
 * Conditions under which an object is replaced or deleted. Public source: Amazon S3 API reference,
 * PutObject, CompleteMultipartUpload, DeleteObject and ObjectIdentifier. Pure.
 *
 * All are about what is there: the latest version, or the one that is to be deleted.
 */
export interface WriteConditions {
  /** A tag, or `*` for any. */
  readonly ifMatch?: string | undefined;
  /** A tag, or `*`: there must be none. */
  readonly ifNoneMatch?: string | undefined;
  /** In seconds since 1970. */
  readonly ifMatchLastModifiedTime?: number | undefined;
  /** In bytes. */
  readonly ifMatchSize?: number | undefined;
}

export const UNCONDITIONAL: WriteConditions = {};

/** @throws S3Error InvalidArgument for an invalid time or size */
export function writeConditionsOf(headers: IncomingHttpHeaders): WriteConditions {
  const time = headers['x-amz-if-match-last-modified-time'];
  const size = headers['x-amz-if-match-size'];
  return {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifMatchLastModifiedTime: time === undefined ? undefined : matchedTime(String(time)),
    ifMatchSize: size === undefined ? undefined : matchedSize(String(size)),
  };
}

/** @returns seconds since 1970. @throws S3Error InvalidArgument */
export function matchedTime(text: string): number {
  const seconds = secondsOf(text);
  if (seconds !== undefined) return seconds;
  throw invalidArgument(
    'If-Match-Last-Modified-Time',
    text,
    'The last modified time to match is not a date.',
  );
}

/** @throws S3Error InvalidArgument */
export function matchedSize(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidArgument('If-Match-Size', text, 'The size to match is not a number of bytes.');
}

export function isConditional(conditions: WriteConditions): boolean {
  return Object.values(conditions).some((one) => one !== undefined);
}

/**
 * @param current the latest version, which may be a marker; undefined if there is none
 * @throws S3Error PreconditionFailed; NoSuchKey if there is nothing that could match
 */
export function checkReplaced(
  current: StoredObject | undefined,
  { ifMatch, ifNoneMatch }: WriteConditions,
): void {
  const object = current?.isDeleteMarker === true ? undefined : current;
  if (ifMatch !== undefined) {
    if (!object) throw new S3Error('NoSuchKey');
    if (!namesTag(ifMatch, object.etag)) throw preconditionFailed('If-Match');
  }
  if (ifNoneMatch !== undefined && object && namesTag(ifNoneMatch, object.etag))
    throw preconditionFailed('If-None-Match');
}

/** @throws S3Error PreconditionFailed */
export function checkDeleted(current: StoredObject, conditions: WriteConditions): void {
  const { ifMatch, ifMatchLastModifiedTime: time, ifMatchSize: size } = conditions;
  if (ifMatch !== undefined && !namesTag(ifMatch, current.etag))
    throw preconditionFailed('If-Match');
  if (time !== undefined && time !== Math.floor(current.modifiedAt.getTime() / 1000))
    throw preconditionFailed('x-amz-if-match-last-modified-time');
  if (size !== undefined && (size !== Number(current.size) || current.isDeleteMarker))
    throw preconditionFailed('x-amz-if-match-size');
}

/**
 * Entity tags in conditions: `"a", W/"b"`, `*`; clients send them without quotes too. Pure.
 * @returns whether a list of tags names this one, which has no quotes
 */
function namesTag(list: string, etag: string): boolean {
  return list.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || plainTag(tag) === etag;
  });
}

/** Strips the quotes and `W/`. */
export function plainTag(tag: string): string {
  return tag.replace(/^(?:W\/)?"(.*)"$/, '$1');
}
