/** Compares signatures, and tells a client that made another one what it should have signed. */
import { timingSafeEqual } from 'node:crypto';
import { S3Error, type ErrorDetails } from '../http/s3-error.js';

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
