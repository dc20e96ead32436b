import { describe, expect, it } from '@jest/globals';
import { rangeOf } from './slice.js';

describe('a range', () => {
  it.each([
    ['bytes=0-3', 10, { first: 0, last: 3 }],
    ['bytes=4-', 10, { first: 4, last: 9 }],
    ['bytes=-4', 10, { first: 6, last: 9 }],
    ['bytes=-40', 10, { first: 0, last: 9 }],
    ['bytes=0-99', 10, { first: 0, last: 9 }],
    ['bytes=9-9', 10, { first: 9, last: 9 }],
    ['bytes = 2 - 3', 10, { first: 2, last: 3 }],
  ])('%s of %i bytes is %j', (header, size, range) => {
    expect(rangeOf(header, size)).toEqual(range);
  });

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=3-2',
    'bytes=0-1,4-5',
    'items=0-1',
    'bytes=a-b',
  ])('%s asks for all', (header) => {
    expect(rangeOf(header, 10)).toBeUndefined();
  });

  it.each([
    ['bytes=10-', 10],
    ['bytes=10-12', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-1', 0],
    [`bytes=${'9'.repeat(30)}-`, 10],
  ])('%s of %i bytes is past the end', (header, size) => {
    expect(() => rangeOf(header, size)).toThrow(
      expect.objectContaining({
        code: 'InvalidRange',
        details: { RangeRequested: header, ActualObjectSize: size },
        headers: { 'content-range': `bytes */${size}` },
      }),
    );
  });
});
