/**
 * How a request wants bytes to be encrypted at rest. Public source: Amazon S3 API reference,
 * PutObject, CreateMultipartUpload and UploadPart.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Bucket } from '../../buckets/bucket.entity.js';
import type { DefaultEncryption } from '../../configurations/configurations.js';
import { S3Error } from '../../http/s3-error.js';
import { customerKeyOf, type CustomerKey } from './customer-key.js';
import type { Encryption } from './encryption.js';
import { requireSameMethod } from './read-encryption.js';

export type EncryptionRequest =
  | { readonly kind: 'SSE-S3' }
  | { readonly kind: 'SSE-KMS'; readonly keyId: string }
  | { readonly kind: 'SSE-C'; readonly key: CustomerKey };

const METHOD = 'x-amz-server-side-encryption';
const KMS_KEY = `${METHOD}-aws-kms-key-id`;
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
    throw invalid(METHOD, method ?? '', 'cannot be combined with a key that the client provides.');
  if (key) return { kind: 'SSE-C', key };
  if (keyId !== undefined && method !== 'aws:kms' && method !== TWO_LAYERS)
    throw invalid(KMS_KEY, keyId, `needs ${METHOD}: aws:kms.`);
  if (method === undefined) return defaultOf(bucket.configurations.encryption);
  return methodOf(method, keyId);
}

/**
 * How a part is encrypted: as its upload says.
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

/** What a multipart upload keeps of it, and then its object. */
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
    throw invalid(METHOD, method, `needs ${KMS_KEY} beside it: there is no key by default.`);
  if (keyId.length > MAX_KEY_NAME)
    throw invalid(KMS_KEY, keyId.slice(0, 64), `may have ${MAX_KEY_NAME} characters.`);
  return { kind: 'SSE-KMS', keyId };
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}

function invalid(name: string, value: string, message: string): S3Error {
  return new S3Error('InvalidArgument', {
    message: `${name} ${message}`,
    details: { ArgumentName: name, ArgumentValue: value },
  });
}
