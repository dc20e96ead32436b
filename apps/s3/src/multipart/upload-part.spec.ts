import { expect, it } from '@jest/globals';
import { copiedRangeOf } from './upload-part.operations.js';

it.each([
  [undefined, undefined],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=3-9', { first: 3, last: 9 }],
])('of a source of 10 bytes, %s is copied', (header, range) => {
  expect(copiedRangeOf(header, 10)).toEqual(range);
});

it.each([
  ['bytes=0-10', 'InvalidRange'],
  ['bytes=10-20', 'InvalidRange'],
  ['bytes=3-2', 'InvalidArgument'],
  ['bytes=3-', 'InvalidArgument'],
  ['bytes=-3', 'InvalidArgument'],
  ['0-3', 'InvalidArgument'],
  ['bytes=0-1,3-4', 'InvalidArgument'],
])('of a source of 10 bytes, %s is refused', (header, code) => {
  expect(() => copiedRangeOf(header, 10)).toThrow(expect.objectContaining({ code }));
});
