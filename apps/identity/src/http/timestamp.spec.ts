import { describe, expect, it } from '@jest/globals';
import { exactTimestamp } from './timestamp.js';

describe('exactTimestamp', () => {
  it.each([
    ['2026-01-31T12:00:00', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T12:00:00.123456', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31 12:00:00.5+02:00', '2026-01-31T10:00:00.500000Z'],
    ['2026-01-31T12:00:00-0130', '2026-01-31T13:30:00.000000Z'],
  ])('keeps all there is of %s', (text, exact) => {
    expect(exactTimestamp(text)).toBe(exact);
  });

  it.each(['', 'Z', 'next tuesday', '2026-01-31', '2026-13-01T00:00:00', '2026-02-30T00:00:00'])(
    'refuses %p',
    (text) => {
      expect(exactTimestamp(text)).toBeUndefined();
    },
  );
});
