import { describe, expect, it } from '@jest/globals';
import { checksumChoiceOf, checksumRequestOf } from './checksum.js';

const SHA1 = 'y0qRdLx9CB8LqGcHhJYvFfWPd2I=';
const refused = (code: string): unknown => expect.objectContaining({ code });

describe('the checksum of a request', () => {
  it('is read from its header', () => {
    expect(checksumRequestOf({})).toBeUndefined();
    expect(checksumRequestOf({ 'x-amz-checksum-sha1': SHA1 })).toEqual({
      algorithm: 'SHA1',
      expected: SHA1,
    });
    const typed = { 'x-amz-checksum-sha1': SHA1, 'x-amz-checksum-type': 'FULL_OBJECT' };
    expect(checksumRequestOf(typed)).toMatchObject({ algorithm: 'SHA1' });
    const both = { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-sdk-checksum-algorithm': 'crc32' };
    expect(checksumRequestOf(both)).toEqual({ algorithm: 'CRC32', expected: 'AAAAAA==' });
  });

  it('follows the body if a trailer is announced', () => {
    const trailer = 'x-amz-checksum-crc64nvme';
    expect(
      checksumRequestOf({ 'x-amz-trailer': trailer, 'x-amz-sdk-checksum-algorithm': 'CRC64NVME' }),
    ).toEqual({ algorithm: 'CRC64NVME', trailer });
    expect(checksumRequestOf({ 'x-amz-trailer': 'x-amz-other' })).toBeUndefined();
  });

  it.each([
    [{ 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-sha1': SHA1 }],
    [{ 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-trailer': 'x-amz-checksum-crc32' }],
    [{ 'x-amz-sdk-checksum-algorithm': 'CRC32' }],
    [{ 'x-amz-sdk-checksum-algorithm': 'CRC32', 'x-amz-checksum-sha1': SHA1 }],
    [{ 'x-amz-sdk-checksum-algorithm': 'MD4' }],
    [{ 'x-amz-trailer': 'x-amz-checksum-md4' }],
    [{ 'x-amz-checksum-sha1': SHA1, 'x-amz-checksum-type': 'COMPOSITE' }],
  ])('is refused if %j is inconsistent', (headers) => {
    expect(() => checksumRequestOf(headers)).toThrow(refused('InvalidRequest'));
  });

  it.each(['bad', 'AAAA', 'AAAAAAA=', ''])('cannot be %j', (value) => {
    const headers = { 'x-amz-checksum-crc32': value };
    expect(() => checksumRequestOf(headers)).toThrow(refused('BadDigest'));
  });
});

describe('the checksum of a multipart upload', () => {
  it.each([
    ['CRC32', undefined, 'COMPOSITE'],
    ['CRC64NVME', undefined, 'FULL_OBJECT'],
    ['SHA256', undefined, 'COMPOSITE'],
    ['CRC32C', 'FULL_OBJECT', 'FULL_OBJECT'],
    ['MD5', undefined, 'COMPOSITE'],
    ['SHA512', 'COMPOSITE', 'COMPOSITE'],
    ['xxhash128', undefined, 'COMPOSITE'],
  ])('%s %s is %s', (algorithm, type, chosen) => {
    expect(
      checksumChoiceOf({
        'x-amz-checksum-algorithm': algorithm,
        ...(type === undefined ? {} : { 'x-amz-checksum-type': type }),
      }),
    ).toEqual({ algorithm: algorithm.toUpperCase(), type: chosen });
  });

  it.each([
    ...['MD5', 'SHA1', 'SHA512', 'XXHASH3', 'XXHASH64', 'XXHASH128'].map((algorithm) => ({
      'x-amz-checksum-algorithm': algorithm,
      'x-amz-checksum-type': 'FULL_OBJECT',
    })),
    { 'x-amz-checksum-algorithm': 'CRC64NVME', 'x-amz-checksum-type': 'COMPOSITE' },
    { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': 'HALF' },
    { 'x-amz-checksum-type': 'FULL_OBJECT' },
    { 'x-amz-checksum-algorithm': 'CRC' },
  ])('cannot be %j', (headers) => {
    expect(() => checksumChoiceOf(headers)).toThrow(refused('InvalidRequest'));
  });
});
