import { describe, expect, it } from '@jest/globals';
import { expectationOf, listedPartsOf, requireExpected } from './complete-request.js';

const part = (number: number | string, etag = 'a', more = ''): string =>
  `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag>${more}</Part>`;
const request = (...parts: string[]): string =>
  `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;

describe('the list of parts', () => {
  it('is read with quoted or unquoted ETags, and checksums', () => {
    const sum = '<ChecksumCRC32>JRTCyQ==</ChecksumCRC32><ChecksumSHA1></ChecksumSHA1>';
    expect(listedPartsOf(request(part(1, '&quot;a&quot;', sum), part(3, 'b')))).toEqual([
      { number: 1, etag: 'a', checksums: [['CRC32', 'JRTCyQ==']] },
      { number: 3, etag: 'b', checksums: [] },
    ]);
  });

  it('keeps the last entry of a repeated part', () => {
    expect(listedPartsOf(request(part(1, 'a'), part(1, 'b'), part(2, 'c')))).toMatchObject([
      { number: 1, etag: 'b' },
      { number: 2, etag: 'c' },
    ]);
  });

  it.each([
    ['that is empty', request(), 'MalformedXML'],
    ['without a document', '', 'MalformedXML'],
    ['without an ETag', request('<Part><PartNumber>1</PartNumber></Part>'), 'MalformedXML'],
    ['in another order', request(part(2), part(1)), 'InvalidPartOrder'],
    ['with the number 0', request(part(0)), 'InvalidArgument'],
    ['with the number 10001', request(part(10_001)), 'InvalidArgument'],
    ['with an invalid number', request(part('1e2')), 'InvalidArgument'],
    [
      'of 10,001 parts',
      request(...Array.from({ length: 10_001 }, (_, at) => part(at))),
      'MalformedXML',
    ],
  ])('is refused %s', (_, xml, code) => {
    expect(() => listedPartsOf(xml)).toThrow(expect.objectContaining({ code }));
  });
});

const SUM = 'uWBwpe1dxI4Vw8Gf0X9ynOdw/SS6VBzfWm9giiv1sf4=';
const upload = {
  checksumAlgorithm: 'SHA256',
  encryption: null,
} as const;
const made = {
  size: 15,
  checksum: { algorithm: 'SHA256', type: 'COMPOSITE', value: `${SUM}-3` },
} as const;

const check = (headers: Record<string, string>) => (): void =>
  requireExpected(expectationOf(headers), upload, made);

describe('a completed object', () => {
  it.each([
    [{}],
    [{ 'x-amz-mp-object-size': '15' }],
    [{ 'x-amz-checksum-sha256': `${SUM}-3`, 'x-amz-checksum-type': 'composite' }],
    [{ 'x-amz-checksum-sha256': SUM }],
  ])('matches what its client expects: %j', (headers: Record<string, string>) => {
    expect(check(headers)).not.toThrow();
  });

  it.each([
    [{ 'x-amz-mp-object-size': '14' }, 'InvalidRequest'],
    [{ 'x-amz-mp-object-size': '-1' }, 'InvalidArgument'],
    [{ 'x-amz-checksum-type': 'FULL_OBJECT' }, 'InvalidRequest'],
    [{ 'x-amz-checksum-crc32': 'AAAAAA==' }, 'InvalidRequest'],
    [{ 'x-amz-checksum-sha256': `${SUM}-2` }, 'BadDigest'],
  ])('does not match: %j', (headers: Record<string, string>, code) => {
    expect(check(headers)).toThrow(expect.objectContaining({ code }));
  });
});
