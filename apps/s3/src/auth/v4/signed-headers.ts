import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../../http/s3-error.js';

/** The signature is over its value all the same, and some clients add it after they have signed. */
const MAY_BE_UNSIGNED = new Set(['x-amz-content-sha256']);

/**
 * Nobody on the way may add what changes the meaning of a request.
 * @param headers as they were sent
 * @throws S3Error AccessDenied
 */
export function requireSigned(
  headers: IncomingHttpHeaders,
  signedHeaders: readonly string[],
): void {
  const unsigned = Object.keys(headers).filter(
    (name) =>
      name.startsWith('x-amz-') && !signedHeaders.includes(name) && !MAY_BE_UNSIGNED.has(name),
  );
  if (unsigned.length === 0) return;
  throw new S3Error('AccessDenied', {
    message: 'There were headers present in the request which were not signed',
    details: { HeadersNotSigned: unsigned.join(', ') },
  });
}
