/** The ids of versions: 32 characters that tell nothing, or `null`. */
import { randomBytes } from 'node:crypto';
import { S3Error } from '../http/s3-error.js';
import type { S3Query } from '../http/s3-request.js';
import { NULL_VERSION } from './object.entity.js';

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
  throw new S3Error('InvalidArgument', {
    message:
      versionId === '' ? 'Version id cannot be the empty string' : 'Invalid version id specified',
    details: { ArgumentName: argument, ArgumentValue: versionId },
  });
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
