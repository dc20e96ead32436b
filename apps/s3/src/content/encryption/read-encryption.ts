/**
 * Encryption as requests that read bytes deal with it, and as answers tell of it. Public source:
 * Amazon S3 API reference, GetObject and HeadObject.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../../http/s3-error.js';
import { customerKeyOf, type CustomerKey } from './customer-key.js';
import type { EncryptionMethod } from './encryption.js';

const METHOD = 'x-amz-server-side-encryption';
const KMS_KEY = `${METHOD}-aws-kms-key-id`;

/**
 * The key for what a request reads.
 * @throws S3Error InvalidArgument for headers that only writes may have, and as `customerKeyOf`
 */
export function readKeyOf(headers: IncomingHttpHeaders): CustomerKey | undefined {
  requireSameMethod(headers, null);
  return customerKeyOf(headers);
}

/**
 * A request about an upload may repeat how the upload is encrypted, which changes nothing: some
 * clients send the headers with each part.
 * @throws S3Error InvalidArgument for another method, or another name of a key
 */
export function requireSameMethod(
  headers: IncomingHttpHeaders,
  encryption: EncryptionMethod | null,
): void {
  const same = encryptionHeaders(encryption);
  for (const name of [METHOD, KMS_KEY])
    if (headers[name] !== undefined && headers[name] !== same[name]) throw encryptionNotTaken(name);
}

/**
 * @throws S3Error InvalidRequest if a key is missing, or one comes for what has none; AccessDenied
 * for another key
 */
export function requireKey(
  encryption: EncryptionMethod | null,
  key: CustomerKey | undefined,
): void {
  if (encryption?.kind !== 'SSE-C') {
    if (!key) return;
    throw new S3Error('InvalidRequest', {
      message: 'The object is not encrypted with a key that its client provides.',
    });
  }
  if (!key)
    throw new S3Error('InvalidRequest', {
      message: 'The object is encrypted with a key that its client provides, which is missing.',
    });
  if (key.md5 !== encryption.keyMd5)
    throw new S3Error('AccessDenied', {
      message: 'The object is encrypted with another key than the request provides.',
    });
}

/** In the headers of an answer to a write or a read. */
export function encryptionHeaders(encryption: EncryptionMethod | null): Record<string, string> {
  switch (encryption?.kind) {
    case undefined:
      return {};
    case 'SSE-S3':
      return { [METHOD]: 'AES256' };
    case 'SSE-KMS':
      return { [METHOD]: 'aws:kms', [KMS_KEY]: encryption.keyId };
    case 'SSE-C':
      return {
        [`${METHOD}-customer-algorithm`]: 'AES256',
        [`${METHOD}-customer-key-md5`]: encryption.keyMd5,
      };
  }
}

/** As Amazon answers a header about encryption where it is not taken. The value may be a key, and stays out. */
export function encryptionNotTaken(name: string): S3Error {
  return new S3Error('InvalidArgument', {
    message: `${name} header is not supported for this operation.`,
    details: { ArgumentName: name },
  });
}
