import { S3Error } from '../http/s3-error.js';

/**
 * @param text of a Date header, as RFC 9110 has dates
 * @returns milliseconds since the epoch
 * @throws S3Error AccessDenied
 */
export function timestampOf(text: string | undefined): number {
  const time = Date.parse(text ?? '');
  // Dates without a year that servers have known are none.
  if (Number.isFinite(time) && time > 0) return time;
  throw new S3Error('AccessDenied', {
    message: 'AWS authentication requires a valid Date or x-amz-date header',
  });
}
