/** The ids of versions: 32 characters that tell nothing, or `null`. */
import { randomBytes } from 'node:crypto';
import type { ContentId } from '../content/received.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import type { S3Query, S3Request } from '../http/s3-request.js';
import { NULL_VERSION, type StoredObject } from './object.entity.js';

const VERSION_ID = /^(?:null|[\w-]{32})$/;

export function newVersionId(): string {
  return randomBytes(24).toString('base64url');
}

/** @returns undefined if the request names none. @throws S3Error InvalidArgument */
export function versionIdOf(query: S3Query): string | undefined {
  const versionId = query.get('versionId');
  if (versionId !== undefined) requireVersionId(versionId);
  return versionId;
}

/**
 * @param argument the query parameter that it comes from
 * @throws S3Error InvalidArgument for what can be no version's id
 */
export function requireVersionId(versionId: string, argument = 'versionId'): void {
  if (VERSION_ID.test(versionId)) return;
  throw invalidArgument(
    argument,
    versionId,
    versionId === '' ? 'Version id cannot be the empty string' : 'Invalid version id specified',
  );
}

/** The header that names a version; none for what a bucket without versions has. */
export function versionHeader(versionId: string, versioning: string): Record<string, string> {
  return versioning === 'off' && versionId === NULL_VERSION
    ? {}
    : { 'x-amz-version-id': versionId };
}

/** The header that names the version that a write has made. */
export function newVersionHeader(versionId: string): Record<string, string> {
  return versionId === NULL_VERSION ? {} : { 'x-amz-version-id': versionId };
}

/**
 * The object that a request is about, or why there is none. Pure.
 *
 * An object that has bytes: no marker.
 */
export type FoundObject = StoredObject & { readonly contentId: ContentId };

/** A call on an object, as far as it matters here. */
interface AboutObject {
  readonly request: Pick<S3Request, 'query'>;
  readonly key: string;
  readonly object: StoredObject | undefined;
}

/**
 * @throws S3Error NoSuchKey; NoSuchVersion, InvalidArgument and MethodNotAllowed (for a marker)
 * where the request names a version. Headers tell markers from what never was.
 */
export function requireObject({ request, key, object }: AboutObject): FoundObject {
  return requireFound(object, { key, versionId: request.query.get('versionId') });
}

/** @param versionId undefined if the latest was asked for */
export function requireFound(
  object: StoredObject | undefined,
  { key, versionId }: { readonly key: string; readonly versionId: string | undefined },
): FoundObject {
  if (versionId !== undefined) requireVersionId(versionId);
  if (object && isFound(object)) return object;
  if (versionId === undefined)
    throw new S3Error('NoSuchKey', { details: { Key: key }, headers: absenceHeaders(object) });
  if (!object) throw new S3Error('NoSuchVersion', { details: { Key: key, VersionId: versionId } });
  throw new S3Error('MethodNotAllowed', {
    allow: ['DELETE'],
    details: { Method: 'GET', ResourceType: 'DeleteMarker' },
    headers: { ...absenceHeaders(object), 'last-modified': object.modifiedAt.toUTCString() },
  });
}

function isFound(object: StoredObject): object is FoundObject {
  return !object.isDeleteMarker;
}

function absenceHeaders(marker: StoredObject | undefined): Record<string, string> {
  return marker
    ? { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.versionId }
    : { 'x-amz-delete-marker': 'false' };
}
