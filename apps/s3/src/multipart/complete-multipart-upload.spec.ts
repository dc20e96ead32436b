import { asId } from '@cumulet/common/context/ids';
import { describe, expect, it } from '@jest/globals';
import type { StoredChecksum } from '../content/checksums/checksum.js';
import type { Part } from '../content/part.entity.js';
import { chosenParts } from './complete-multipart-upload.operation.js';

const MIB = 1024 * 1024;
const MD5_OF_NOTHING = 'd41d8cd98f00b204e9800998ecf8427e';

function stored(number: number, size: number, checksum: StoredChecksum | null = null): Part {
  const none = { checksum, crc64: null, encryption: null, dataId: null, inline: null };
  const etag = MD5_OF_NOTHING;
  return { contentId: asId('u'), number, size: `${size}`, etag, modifiedAt: new Date(), ...none };
}
const listed = (number: number, etag = MD5_OF_NOTHING) => ({ number, etag, checksums: [] });

describe('the parts of an object', () => {
  it('are those that the request lists', () => {
    const all = [stored(1, 5 * MIB), stored(2, 1), stored(7, 3)];
    expect(chosenParts('u', [listed(1), listed(7)], all)).toEqual({
      parts: [all[0], all[2]],
      others: [2],
      size: 5 * MIB + 3,
      // The MD5 of twice the 16 bytes of the MD5 of nothing.
      etag: '5873dd45edd01f09c1ef2e7819369e8e-2',
    });
  });

  it.each([
    ['is missing', [listed(2)], 'InvalidPart'],
    ['is a different one', [listed(1, 'b')], 'InvalidPart'],
    ['is too small', [listed(1), listed(2), listed(3)], 'EntityTooSmall'],
  ])('are refused if one %s', (_, list, code) => {
    const all = [stored(1, 5 * MIB), stored(3, 5 * MIB), stored(2, 5 * MIB - 1)];
    const there = code === 'InvalidPart' ? all.slice(0, 1) : all;
    expect(() => chosenParts('u', list, there)).toThrow(expect.objectContaining({ code }));
  });

  it('are refused if one has another checksum', () => {
    const checksum = { algorithm: 'CRC32', type: 'FULL_OBJECT', value: 'AAAAAA==' } as const;
    const all = [stored(1, 5, checksum)];
    const choose =
      (value: string, algorithm: 'CRC32' | 'SHA1' = 'CRC32') =>
      () =>
        chosenParts('u', [{ ...listed(1), checksums: [[algorithm, value]] }], all);
    expect(choose('AAAAAA==')).not.toThrow();
    expect(choose('AAAAAQ==')).toThrow(expect.objectContaining({ code: 'InvalidPart' }));
    // It was stored without that one.
    expect(choose('x', 'SHA1')).not.toThrow();
  });
});
