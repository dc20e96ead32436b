/**
 * Conditions under which an object is replaced or deleted. Public source: Amazon S3 API reference,
 * PutObject, CompleteMultipartUpload, DeleteObject and ObjectIdentifier. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../http/s3-error.js';
import { namesTag } from './entity-tags.js';
import type { StoredObject } from './object.entity.js';
import { preconditionFailed, secondsOf } from './read-conditions.js';

/** All are about what is there: the latest version, or the one that is to be deleted. */
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

/** @throws S3Error InvalidArgument for a time or a size that is none */
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
  throw new S3Error('InvalidArgument', {
    message: 'The last modified time to match is not a date.',
    details: { ArgumentName: 'If-Match-Last-Modified-Time', ArgumentValue: text },
  });
}

/** @throws S3Error InvalidArgument */
export function matchedSize(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new S3Error('InvalidArgument', {
    message: 'The size to match is not a number of bytes.',
    details: { ArgumentName: 'If-Match-Size', ArgumentValue: text },
  });
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

/** @param current a marker too has a time. @throws S3Error PreconditionFailed */
export function checkDeleted(current: StoredObject, conditions: WriteConditions): void {
  const { ifMatch, ifMatchLastModifiedTime: time, ifMatchSize: size } = conditions;
  if (ifMatch !== undefined && !namesTag(ifMatch, current.etag))
    throw preconditionFailed('If-Match');
  if (time !== undefined && time !== Math.floor(current.modifiedAt.getTime() / 1000))
    throw preconditionFailed('x-amz-if-match-last-modified-time');
  if (size !== undefined && (size !== Number(current.size) || current.isDeleteMarker))
    throw preconditionFailed('x-amz-if-match-size');
}
