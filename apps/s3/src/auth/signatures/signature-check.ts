/**
 * What every signature is judged by: that it is the one that the service makes, and that the client's
 * clock is right. A client that made another one is told what it should have signed.
 */
import { timingSafeEqual } from 'node:crypto';
import { type ErrorDetails, S3Error } from '../../http/s3-error.js';

/**
 * @param details what was signed; never the secret or a key made of it
 * @throws S3Error SignatureDoesNotMatch
 */
export function requireSame(given: string, own: string, details: ErrorDetails): void {
  const [one, other] = [Buffer.from(given), Buffer.from(own)];
  if (one.length === other.length && timingSafeEqual(one, other)) return;
  throw new S3Error('SignatureDoesNotMatch', { details });
}

/** @param text of which each character is a byte of UTF-8 */
export function readable(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}

/** How far a client's clock may be from this one's. Public source: decisions on S3; 15 minutes. */
const MAX_SKEW_MS = 15 * 60_000;

/**
 * @param time milliseconds since the epoch, by the client's clock
 * @throws S3Error RequestTimeTooSkewed
 */
export function requireRecent(time: number, now = Date.now()): void {
  if (Math.abs(now - time) <= MAX_SKEW_MS) return;
  throw new S3Error('RequestTimeTooSkewed', {
    details: {
      RequestTime: new Date(time).toISOString(),
      ServerTime: new Date(now).toISOString(),
      MaxAllowedSkewMilliseconds: MAX_SKEW_MS,
    },
  });
}

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
