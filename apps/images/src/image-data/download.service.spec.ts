import { describe, expect, it } from '@jest/globals';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { RangeNotSatisfiableError } from '../images/image.errors.js';
import {
  byteRangeOf,
  entityTagOf,
  isNamedBy,
  isUnchanged,
  lengthHeaders,
} from './download.service.js';

describe('byteRangeOf', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 99 }],
    ['Bytes=98-98', { first: 98, last: 98 }],
    ['bytes=50-5000', { first: 50, last: 99 }],
    ['bytes=0-9223372036854775807', { first: 0, last: 99 }],
    [`bytes=7-${'9'.repeat(400)}`, { first: 7, last: 99 }],
    [`bytes=-${'9'.repeat(400)}`, { first: 0, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    [undefined, undefined],
  ])('reads %s of 100 bytes', (header, expected) => {
    expect(byteRangeOf(header, 100)).toEqual(expected);
  });

  it.each([
    'bytes=100-',
    `bytes=${'9'.repeat(400)}-`,
    `bytes=${'9'.repeat(400)}-${'9'.repeat(400)}`,
    'bytes=-0',
    'bytes=9-8',
    'bytes=-',
    'bytes=a-b',
    'bytes',
    '',
    'lines=0-1',
  ])('refuses %j of 100 bytes', (header) => {
    expect(() => byteRangeOf(header, 100)).toThrow(RangeNotSatisfiableError);
  });

  it('refuses every range of empty data', () => {
    expect(() => byteRangeOf('bytes=0-', 0)).toThrow(RangeNotSatisfiableError);
    expect(() => byteRangeOf('bytes=-5', 0)).toThrow(RangeNotSatisfiableError);
  });

  it('refuses several ranges', () => {
    expect(() => byteRangeOf('bytes=0-1,3-4', 100)).toThrow(InvalidInputError);
  });
});

describe('lengthHeaders', () => {
  it('describe a part and the whole', () => {
    expect(lengthHeaders(100, { first: 10, last: 19 })).toEqual({
      'Content-Length': '10',
      'Content-Range': 'bytes 10-19/100',
    });
    expect(lengthHeaders(100, undefined)).toEqual({ 'Content-Length': '100' });
  });
});

it('is the quoted hash of the data', () => {
  expect(entityTagOf({ hashValue: 'c0ffee' })).toBe('"c0ffee"');
});

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
    [undefined, false],
  ])('%s of "a": %s', (header, expected) => {
    expect(isNamedBy(header, '"a"')).toBe(expected);
  });
});

describe('If-Range', () => {
  it.each([
    ['"a"', true],
    [undefined, true],
    ['W/"a"', false],
    ['"b"', false],
    ['*', false],
    ['Sat, 29 Oct 1994 19:43:31 GMT', false],
  ])('%s of "a": %s', (header, expected) => {
    expect(isUnchanged(header, '"a"')).toBe(expected);
  });
});
