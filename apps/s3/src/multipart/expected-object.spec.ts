import { describe, expect, it } from '@jest/globals';
import { expectationOf, requireExpected } from './expected-object.js';

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

describe('an object', () => {
  it.each([
    [{}],
    [{ 'x-amz-mp-object-size': '15' }],
    [{ 'x-amz-checksum-sha256': `${SUM}-3`, 'x-amz-checksum-type': 'composite' }],
    [{ 'x-amz-checksum-sha256': SUM }],
  ])('is as its client expects it: %j', (headers: Record<string, string>) => {
    expect(check(headers)).not.toThrow();
  });

  it.each([
    [{ 'x-amz-mp-object-size': '14' }, 'InvalidRequest'],
    [{ 'x-amz-mp-object-size': '-1' }, 'InvalidArgument'],
    [{ 'x-amz-checksum-type': 'FULL_OBJECT' }, 'InvalidRequest'],
    [{ 'x-amz-checksum-crc32': 'AAAAAA==' }, 'InvalidRequest'],
    [{ 'x-amz-checksum-sha256': `${SUM}-2` }, 'BadDigest'],
  ])('is not: %j', (headers: Record<string, string>, code) => {
    expect(check(headers)).toThrow(expect.objectContaining({ code }));
  });
});
