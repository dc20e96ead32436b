import { describe, expect, it } from '@jest/globals';
import { entityTagOf, isNamedBy, isUnchanged } from './entity-tag.js';

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
