import { describe, expect, it } from '@jest/globals';
import { isUuid } from './ids.js';

describe('isUuid', () => {
  it.each([
    '0123abcd-4567-89ab-cdef-0123456789ab',
    '0123abcd456789abcdef0123456789ab',
    '0123ABCD-4567-89AB-CDEF-0123456789AB',
  ])('takes %s', (value) => {
    expect(isUuid(value)).toBe(true);
  });

  it.each([
    '',
    'server-1',
    '0123abcd-4567-89ab-cdef-0123456789a',
    ' 0123abcd456789abcdef0123456789ab',
    7,
    null,
  ])('refuses %p', (value) => {
    expect(isUuid(value)).toBe(false);
  });
});
