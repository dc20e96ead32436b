import { describe, expect, it } from '@jest/globals';
import { floatOf, sumOf, textOfNumber, wholeOf, type Numeric } from './numbers.js';
import { isSame } from './same-json.js';

const float = (value: number): Numeric => floatOf(value) ?? Number.NaN;

describe('numbers', () => {
  it.each<[Numeric, string]>([
    [1, '1'],
    [-0, '0'],
    [float(1), '1.0'],
    [float(-0), '-0.0'],
    [1.5, '1.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [0.0000012, '1.2e-06'],
    [1.5e-300, '1.5e-300'],
    [float(1e15), '1000000000000000.0'],
    [float(1e16), '1e+16'],
    [float(123456789012345680000), '1.2345678901234568e+20'],
    [-12345678901234567890n, '-12345678901234567890'],
  ])("are written in Python's notation: %p", (value, text) => {
    expect(textOfNumber(value)).toBe(text);
  });

  it('are integers without a fraction', () => {
    expect([float(3), 3, 2n ** 60n, float(2 ** 60), 3.5].map(wholeOf)).toEqual([
      3,
      3,
      2n ** 60n,
      2n ** 60n,
      undefined,
    ]);
  });

  it('add up to a float if one of them is a float', () => {
    expect(sumOf(1, 2)).toBe(3);
    expect(sumOf(1, float(2))).toEqual(float(3));
    expect(sumOf(2 ** 53 - 1, 1)).toBe(2n ** 53n);
    expect(sumOf(2n ** 53n, -1)).toBe(2 ** 53 - 1);
    expect(sumOf(float(1e308), float(1e308))).toBeUndefined();
  });
});

describe('values', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: [1] }, { a: [float(1)] }, true],
    [{ a: [1] }, { a: [float(2)] }, false],
    [float(1), '1', false],
    [float(1e17), 10n ** 17n, true],
    [float(1), true, false],
    [{ a: 1 }, { a: 1, b: float(1) }, false],
    // The form of older rows.
    ['12345678901234567890', 12345678901234567890n, true],
  ])('are equal if their numbers are: %p and %p', (one, other, expected) => {
    expect(isSame(one, other)).toBe(expected);
    expect(isSame(other, one)).toBe(expected);
  });
});
