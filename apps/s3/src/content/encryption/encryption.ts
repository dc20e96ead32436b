/**
 * Encryption at rest: how requests ask for it, how reads handle it, and how
 * answers tell of it. Public source: Amazon S3 API reference, PutObject, CreateMultipartUpload,
 * UploadPart, GetObject and HeadObject.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Bucket, DefaultEncryption } from '../../buckets/bucket.entity.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';

/**
 * The method of encryption at rest. Each content has a random key of its own, which is stored sealed
 * under a key that the method says. Public source: Amazon S3 user guide, "Protecting data with
 * server-side encryption".
 */
export type EncryptionMethod =
  /** Under the service's own key. */
  | { readonly kind: 'SSE-S3' }
  /** Under one of the keys that the service derives for names; its clients choose the names. */
  | { readonly kind: 'SSE-KMS'; readonly keyId: string }
  /** Under a key that the client sends each time, of which only the MD5 is known, in base64. */
  | { readonly kind: 'SSE-C'; readonly keyMd5: string };

export type Encryption = EncryptionMethod & {
  /** Null for a multipart upload and its object: its parts have keys. */
  readonly sealedKey: string | null;
  /** CRC32 of the encrypted bytes, by which they are compared without a key, if the store has them. */
  readonly storedCrc32?: number;
};

/**
 * The key that a client sends with each request (SSE-C). Public source: Amazon S3 user guide, "Using
 * server-side encryption with customer-provided keys".
 *
 * Always holds: no error and no log has the key.
 */
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

/** The key of the copy's source. @throws as `customerKeyOf` */
export function copySourceKeyOf(headers: IncomingHttpHeaders): CustomerKey | undefined {
  return keyUnder(COPY_SOURCE_PREFIX, headers);
}

function keyUnder(prefix: string, headers: IncomingHttpHeaders): CustomerKey | undefined {
  const [algorithm, key, md5] = ['algorithm', 'key', 'key-md5'].map((name) => {
    const value = headers[prefix + name];
    return value === undefined ? undefined : String(value);
  });
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined;
  if (algorithm === undefined) throw invalidKey(`${prefix}algorithm is missing.`);
  if (algorithm !== 'AES256')
    throw new S3Error('InvalidEncryptionAlgorithmError', {
      message: `${prefix}algorithm is ${algorithm}; the only one is AES256.`,
      details: { ArgumentName: `${prefix}algorithm`, ArgumentValue: algorithm },
    });
  if (key === undefined) throw invalidKey(`${prefix}key is missing.`);
  if (md5 === undefined) throw invalidKey(`${prefix}key-md5 is missing.`);
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== key)
    throw invalidKey(`${prefix}key must be a base64-encoded key of ${KEY_BYTES} bytes.`);
  const computed = createHash('md5').update(bytes).digest();
  if (!isSame(computed, Buffer.from(md5, 'base64')))
    throw invalidKey(`${prefix}key-md5 is not the MD5 of the key in base64.`);
  return { key: bytes, md5: computed.toString('base64') };
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function invalidKey(message: string): S3Error {
  return new S3Error('InvalidArgument', { message });
}

const METHOD = 'x-amz-server-side-encryption';
const KMS_KEY = `${METHOD}-aws-kms-key-id`;

/**
 * The customer's key for reading.
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

/** @throws S3Error InvalidRequest if a key is missing or not expected; AccessDenied for another key */
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

/** Headers of the answer to a write or a read. */
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

/** Amazon's answer to a header about encryption that does not apply. The value may be a key and is left out. */
export function encryptionNotTaken(name: string): S3Error {
  return new S3Error('InvalidArgument', {
    message: `${name} header is not supported for this operation.`,
    details: { ArgumentName: name },
  });
}

export type EncryptionRequest =
  | { readonly kind: 'SSE-S3' }
  | { readonly kind: 'SSE-KMS'; readonly keyId: string }
  | { readonly kind: 'SSE-C'; readonly key: CustomerKey };
const KMS_CONTEXT = `${METHOD}-context`;
const TWO_LAYERS = 'aws:kms:dsse';
const MAX_KEY_NAME = 2048;

/**
 * @param headers by lower-case name: of a request, or fields of a form
 * @param bucket whose default counts for a request that says nothing
 * @returns undefined for bytes that are stored as they are
 * @throws S3Error InvalidArgument, InvalidEncryptionAlgorithmError, NotImplemented
 */
export function encryptionRequestOf(
  headers: IncomingHttpHeaders,
  bucket: Pick<Bucket, 'configurations'>,
): EncryptionRequest | undefined {
  const key = customerKeyOf(headers);
  const method = textOf(headers, METHOD);
  const keyId = textOf(headers, KMS_KEY);
  if (textOf(headers, KMS_CONTEXT) !== undefined)
    throw new S3Error('NotImplemented', {
      message: `The header ${KMS_CONTEXT} is not implemented.`,
    });
  if (key && (method ?? keyId) !== undefined)
    throw invalidArgument(
      METHOD,
      method ?? '',
      'cannot be combined with a key that the client provides.',
    );
  if (key) return { kind: 'SSE-C', key };
  if (keyId !== undefined && method !== 'aws:kms' && method !== TWO_LAYERS)
    throw invalidArgument(KMS_KEY, keyId, `needs ${METHOD}: aws:kms.`);
  if (method === undefined) return defaultOf(bucket.configurations.encryption);
  return methodOf(method, keyId);
}

/**
 * The encryption of a part, which follows from its upload.
 * @throws S3Error InvalidRequest if the client sends another key than it did for the upload, none
 * where it did, or one where it did not; InvalidArgument if it names another method
 */
export function partEncryptionOf(
  headers: IncomingHttpHeaders,
  upload: Encryption | null,
): EncryptionRequest | undefined {
  requireSameMethod(headers, upload);
  const key = customerKeyOf(headers);
  if (upload?.kind === 'SSE-C' ? key?.md5 !== upload.keyMd5 : key !== undefined)
    throw new S3Error('InvalidRequest', {
      message:
        'The encryption headers of the request are not those that the multipart upload was created with.',
    });
  if (key) return { kind: 'SSE-C', key };
  if (!upload) return undefined;
  return upload.kind === 'SSE-KMS' ? { kind: 'SSE-KMS', keyId: upload.keyId } : { kind: 'SSE-S3' };
}

/** The encryption of a multipart upload, and then of its object. */
export function encryptionOfParts(request: EncryptionRequest | undefined): Encryption | null {
  switch (request?.kind) {
    case undefined:
      return null;
    case 'SSE-S3':
      return { kind: 'SSE-S3', sealedKey: null };
    case 'SSE-KMS':
      return { kind: 'SSE-KMS', keyId: request.keyId, sealedKey: null };
    case 'SSE-C':
      return { kind: 'SSE-C', keyMd5: request.key.md5, sealedKey: null };
  }
}

function defaultOf(standard: DefaultEncryption | undefined): EncryptionRequest | undefined {
  return standard && methodOf(standard.algorithm, standard.kmsKeyId);
}

function methodOf(method: string, keyId: string | undefined): EncryptionRequest {
  if (method === 'AES256') return { kind: 'SSE-S3' };
  if (method === TWO_LAYERS)
    throw new S3Error('NotImplemented', {
      message: `Encryption with two layers (${TWO_LAYERS}) is not implemented.`,
    });
  if (method !== 'aws:kms')
    throw new S3Error('InvalidEncryptionAlgorithmError', {
      message: `${METHOD} is ${method}, which is neither AES256 nor aws:kms.`,
      details: { ArgumentName: METHOD, ArgumentValue: method },
    });
  if (keyId === undefined || keyId === '')
    throw invalidArgument(METHOD, method, `requires ${KMS_KEY}: there is no default key.`);
  if (keyId.length > MAX_KEY_NAME)
    throw invalidArgument(KMS_KEY, keyId.slice(0, 64), `may have ${MAX_KEY_NAME} characters.`);
  return { kind: 'SSE-KMS', keyId };
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
