import { describe, expect, it } from '@jest/globals';
import { secretKeys } from './secret-key.js';

const HEX = 'f0'.repeat(32);
const BASE64 = Buffer.from('0f'.repeat(32), 'hex').toString('base64');

describe('several keys', () => {
  const keys = secretKeys('OLD_KEYS', { about: 'Old keys.' });

  it('are separated by commas, in either notation', () => {
    expect(keys.read(`${HEX}, ${BASE64}`)).toEqual([HEX, '0f'.repeat(32)]);
  });

  it.each([`${HEX},`, `${HEX},short`, 'g0'.repeat(32)])(
    'are not %s, which is not shown',
    (text) => {
      expect(() => keys.read(text)).toThrow(
        'OLD_KEYS must be keys of 32 bytes as 64 hexadecimal digits or in base64, separated by commas; its value is not',
      );
    },
  );
});
