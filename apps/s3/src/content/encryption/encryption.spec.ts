import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  copySourceKeyOf,
  customerKeyOf,
  encryptionHeaders,
  encryptionOfParts,
  encryptionRequestOf,
  partEncryptionOf,
  readKeyOf,
  requireKey,
} from './encryption.js';

const SSE = 'x-amz-server-side-encryption';
const CUSTOMER = `${SSE}-customer-`;
const BUCKET = { configurations: {} };
const refused = (code: string): unknown => expect.objectContaining({ code });

function keyHeaders(key = randomBytes(32), prefix = CUSTOMER): Record<string, string> {
  return {
    [`${prefix}algorithm`]: 'AES256',
    [`${prefix}key`]: key.toString('base64'),
    [`${prefix}key-md5`]: createHash('md5').update(key).digest('base64'),
  };
}

describe('an encryption request', () => {
  it('follows its headers, or else the default of the bucket', () => {
    const kms = { [SSE]: 'aws:kms', [`${SSE}-aws-kms-key-id`]: 'a-key' };
    const byDefault = { configurations: { encryption: { algorithm: 'AES256' as const } } };
    expect(encryptionRequestOf({}, BUCKET)).toBeUndefined();
    expect(encryptionRequestOf({}, byDefault)).toEqual({ kind: 'SSE-S3' });
    expect(encryptionRequestOf({ [SSE]: 'AES256' }, BUCKET)).toEqual({ kind: 'SSE-S3' });
    expect(encryptionRequestOf(kms, byDefault)).toEqual({ kind: 'SSE-KMS', keyId: 'a-key' });
    expect(encryptionRequestOf(keyHeaders(), byDefault)?.kind).toBe('SSE-C');
  });

  it.each([
    [{ [SSE]: 'DES' }, 'InvalidEncryptionAlgorithmError'],
    [{ [SSE]: 'aws:kms' }, 'InvalidArgument'],
    [{ [SSE]: 'aws:kms:dsse' }, 'NotImplemented'],
    [{ [SSE]: 'aws:kms:dsse', [`${SSE}-aws-kms-key-id`]: 'a-key' }, 'NotImplemented'],
    [{ [`${SSE}-aws-kms-key-id`]: 'a-key' }, 'InvalidArgument'],
    [{ [SSE]: 'AES256', [`${SSE}-aws-kms-key-id`]: 'a-key' }, 'InvalidArgument'],
    [{ [SSE]: 'aws:kms', [`${SSE}-context`]: 'e30=' }, 'NotImplemented'],
    [{ [SSE]: 'AES256', ...keyHeaders() }, 'InvalidArgument'],
    [{ [`${CUSTOMER}algorithm`]: 'AES256' }, 'InvalidArgument'],
    [{ ...keyHeaders(), [`${CUSTOMER}algorithm`]: 'DES' }, 'InvalidEncryptionAlgorithmError'],
    [keyHeaders(randomBytes(31)), 'InvalidArgument'],
    [{ ...keyHeaders(), [`${CUSTOMER}key-md5`]: 'AAAA' }, 'InvalidArgument'],
  ])('cannot be %j', (headers, code) => {
    expect(() => encryptionRequestOf(headers, BUCKET)).toThrow(refused(code));
  });

  it('never reveals an invalid key', () => {
    const headers = keyHeaders();
    headers[`${CUSTOMER}key-md5`] = 'AAAA';
    try {
      customerKeyOf(headers);
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toContain(headers[`${CUSTOMER}key`]);
    }
    expect.assertions(1);
  });
});

describe('a part', () => {
  it('is encrypted like its upload', () => {
    const headers = keyHeaders();
    const of = (more: Record<string, string>) =>
      encryptionOfParts(encryptionRequestOf(more, BUCKET));
    expect(partEncryptionOf({}, null)).toBeUndefined();
    expect(partEncryptionOf({}, of({ [SSE]: 'AES256' }))).toEqual({ kind: 'SSE-S3' });
    expect(partEncryptionOf(headers, of(headers))?.kind).toBe('SSE-C');
    for (const [sent, upload] of [
      [{}, headers],
      [keyHeaders(), headers],
      [headers, {}],
      [headers, { [SSE]: 'AES256' }],
    ] as const) {
      expect(() => partEncryptionOf(sent, of(upload))).toThrow(refused('InvalidRequest'));
    }
  });
});

describe('a read', () => {
  it('takes the customer-provided key, also for the source of a copy', () => {
    const key = randomBytes(32);
    expect(readKeyOf(keyHeaders(key))?.key).toEqual(key);
    const source = keyHeaders(key, 'x-amz-copy-source-server-side-encryption-customer-');
    expect(copySourceKeyOf(source)?.key).toEqual(key);
    expect(() => readKeyOf({ [SSE]: 'AES256' })).toThrow(refused('InvalidArgument'));
  });

  it('needs the key that the bytes were encrypted with', () => {
    const key = customerKeyOf(keyHeaders());
    const other = customerKeyOf(keyHeaders());
    const encryption = { kind: 'SSE-C' as const, keyMd5: key?.md5 ?? '' };
    expect(() => requireKey(encryption, key)).not.toThrow();
    expect(() => requireKey(encryption, undefined)).toThrow(refused('InvalidRequest'));
    expect(() => requireKey(encryption, other)).toThrow(refused('AccessDenied'));
    expect(() => requireKey(null, key)).toThrow(refused('InvalidRequest'));
    expect(() => requireKey({ kind: 'SSE-S3' }, key)).toThrow(refused('InvalidRequest'));
  });

  it('shows how the bytes are encrypted', () => {
    expect(encryptionHeaders(null)).toEqual({});
    expect(encryptionHeaders({ kind: 'SSE-S3' })).toEqual({ [SSE]: 'AES256' });
    expect(encryptionHeaders({ kind: 'SSE-KMS', keyId: 'k' })).toEqual({
      [SSE]: 'aws:kms',
      [`${SSE}-aws-kms-key-id`]: 'k',
    });
    expect(encryptionHeaders({ kind: 'SSE-C', keyMd5: 'm' })).toEqual({
      [`${CUSTOMER}algorithm`]: 'AES256',
      [`${CUSTOMER}key-md5`]: 'm',
    });
  });
});
