/**
 * Conditions under which an object is read or copied. Public source: Amazon S3 API reference,
 * GetObject and CopyObject; RFC 9110, 13.2.2. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../http/s3-error.js';
import { namesTag } from './entity-tags.js';
import type { StoredObject } from './object.entity.js';

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

/** The same for the source of a copy, of which a client does not have anything already. */
export function checkCopied(object: Read, conditions: ReadConditions): void {
  const failed = failedOf(object, conditions);
  if (failed !== undefined) throw preconditionFailed(`x-amz-copy-source-${failed}`);
}

/** @param condition the header that asks for it */
export function preconditionFailed(condition: string): S3Error {
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

/** @returns undefined for what is no time: such a condition does not count */
export function secondsOf(time: string | undefined): number | undefined {
  const milliseconds = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
