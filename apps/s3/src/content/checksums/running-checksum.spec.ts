import { describe, expect, it } from '@jest/globals';
import { CHECKSUM_ALGORITHMS, CHECKSUM_BYTES, beginChecksum } from './checksum.js';

const DIGITS = Buffer.from('123456789');

describe('checksums', () => {
  it.each([
    ['CRC32', 'cbf43926'],
    ['CRC32C', 'e3069283'],
    ['CRC64NVME', 'ae8b14860a799888'],
    ['SHA1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
    ['SHA256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
    ['MD5', '25f9e794323b453885f5181f1b624d0b'],
    [
      'SHA512',
      'd9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274ad27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85',
    ],
    // As Amazon's own library, awscrt, computes them.
    ['XXHASH3', '72dcb18b67a17dff'],
    ['XXHASH64', '8cb841db40e6ae83'],
    ['XXHASH128', '33119477ede5dcd5e9716427681d5860'],
  ] as const)('yield the check value of %s', async (algorithm, hex) => {
    const checksum = await beginChecksum(algorithm);
    checksum.update(DIGITS);
    expect(checksum.digest().toString('hex')).toBe(hex);
  });

  it.each(CHECKSUM_ALGORITHMS)(
    'of %s have the declared length, even for no bytes',
    async (algorithm) => {
      expect((await beginChecksum(algorithm)).digest()).toHaveLength(CHECKSUM_BYTES[algorithm]);
    },
  );

  it.each(CHECKSUM_ALGORITHMS)('of %s keep concurrent streams apart', async (algorithm) => {
    const [one, other] = [await beginChecksum(algorithm), await beginChecksum(algorithm)];
    one.update(DIGITS.subarray(0, 4));
    other.update(Buffer.from('something else'));
    one.update(DIGITS.subarray(4));
    const alone = await beginChecksum(algorithm);
    alone.update(DIGITS);
    expect(one.digest()).toEqual(alone.digest());
  });
});
