/** The object that a request is about, or why there is none. Pure. */
import { S3Error } from '../http/s3-error.js';
import type { ObjectCall } from '../operations/operation.js';
import type { ContentId, StoredObject } from './object.entity.js';
import { requireVersionId } from './version-id.js';

/** An object that has bytes: no marker. */
export type FoundObject = StoredObject & { readonly contentId: ContentId };

/**
 * @throws S3Error NoSuchKey; NoSuchVersion, InvalidArgument and MethodNotAllowed (for a marker)
 * where the request names a version. Headers tell markers from what never was.
 */
export function requireObject({ request, key, object }: ObjectCall): FoundObject {
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
