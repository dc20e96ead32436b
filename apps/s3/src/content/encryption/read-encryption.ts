/**
 * Encryption as requests that read bytes deal with it, and as answers tell of it. Public source:
 * Amazon S3 API reference, GetObject and HeadObject.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../../http/s3-error.js';
import { customerKeyOf, type CustomerKey } from './customer-key.js';
import type { EncryptionMethod } from './encryption.js';

/**
 * The key for what a request reads.
 * @throws S3Error InvalidArgument for headers that only writes may have, and as `customerKeyOf`
 */
export function readKeyOf(headers: IncomingHttpHeaders): CustomerKey | undefined {
  for (const name of [
    'x-amz-server-side-encryption',
    'x-amz-server-side-encryption-aws-kms-key-id',
  ])
    if (headers[name] !== undefined) throw encryptionNotTaken(name);
  return customerKeyOf(headers);
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
  const method = 'x-amz-server-side-encryption';
  switch (encryption?.kind) {
    case undefined:
      return {};
    case 'SSE-S3':
      return { [method]: 'AES256' };
    case 'SSE-KMS':
      return { [method]: 'aws:kms', [`${method}-aws-kms-key-id`]: encryption.keyId };
    case 'SSE-C':
      return {
        [`${method}-customer-algorithm`]: 'AES256',
        [`${method}-customer-key-md5`]: encryption.keyMd5,
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
