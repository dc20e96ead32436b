import { describe, expect, it } from '@jest/globals';
import { isPasscode } from './totp.method.js';

/** RFC 6238, appendix B, of whose eight digits a passcode has the last six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
] as const;

describe('isPasscode', () => {
  it.each(VECTORS)('takes that of the second %d: %s', (second, passcode) => {
    expect(isPasscode(SECRET, passcode, second * 1000)).toBe(true);
  });

  it('takes it for 30 seconds more, and not before its time', () => {
    const at = (second: number): boolean => isPasscode(SECRET, '287082', second * 1000);
    expect([29, 30, 89, 90].map(at)).toEqual([false, true, true, false]);
  });

  it('takes no other text', () => {
    for (const text of ['', '28708', '0287082', '287083', '２８７０８２'])
      expect(isPasscode(SECRET, text, 59_000)).toBe(false);
  });

  it('takes secrets with padding and in any case', () => {
    expect(isPasscode(`${SECRET.toLowerCase()}======`, '287082', 59_000)).toBe(true);
  });

  it.each(['', '====', 'not base32!', '{"secret": 1}'])('has no passcode of %j', (secret) => {
    // That of an empty key at that moment.
    expect(isPasscode(secret, '812658', 59_000)).toBe(false);
  });
});
