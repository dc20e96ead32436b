/**
 * The key that a client sends with each request (SSE-C). Public source: Amazon S3 user guide, "Using
 * server-side encryption with customer-provided keys".
 *
 * Always holds: no error and no log has the key.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../../http/s3-error.js';

export interface CustomerKey {
  /** 32 bytes. */
  readonly key: Buffer;
  /** Its MD5, in base64. */
  readonly md5: string;
}

const PREFIX = 'x-amz-server-side-encryption-customer-';
const COPY_SOURCE_PREFIX = 'x-amz-copy-source-server-side-encryption-customer-';
const KEY_BYTES = 32;

/**
 * @param headers by lower-case name: of a request, or fields of a form
 * @returns undefined if the client sends none
 * @throws S3Error InvalidArgument, InvalidEncryptionAlgorithmError
 */
export function customerKeyOf(headers: IncomingHttpHeaders): CustomerKey | undefined {
  return keyUnder(PREFIX, headers);
}

/** The key of what is copied. @throws as `customerKeyOf` */
export function copySourceKeyOf(headers: IncomingHttpHeaders): CustomerKey | undefined {
  return keyUnder(COPY_SOURCE_PREFIX, headers);
}

function keyUnder(prefix: string, headers: IncomingHttpHeaders): CustomerKey | undefined {
  const [algorithm, key, md5] = ['algorithm', 'key', 'key-md5'].map((name) => {
    const value = headers[prefix + name];
    return value === undefined ? undefined : String(value);
  });
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined;
  if (algorithm === undefined) throw invalid(`${prefix}algorithm is missing.`);
  if (algorithm !== 'AES256')
    throw new S3Error('InvalidEncryptionAlgorithmError', {
      message: `${prefix}algorithm is ${algorithm}; the only one is AES256.`,
      details: { ArgumentName: `${prefix}algorithm`, ArgumentValue: algorithm },
    });
  if (key === undefined) throw invalid(`${prefix}key is missing.`);
  if (md5 === undefined) throw invalid(`${prefix}key-md5 is missing.`);
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== key)
    throw invalid(`${prefix}key is no key of ${KEY_BYTES} bytes in base64.`);
  const computed = createHash('md5').update(bytes).digest();
  if (!isSame(computed, Buffer.from(md5, 'base64')))
    throw invalid(`${prefix}key-md5 is not the MD5 of the key in base64.`);
  return { key: bytes, md5: computed.toString('base64') };
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', { message });
}
