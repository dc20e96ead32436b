import { expect, it } from '@jest/globals';
import { commonPrefixOf, endOf, goesOnWithin, startOf } from './listing-range.js';

const at = (prefix: string, delimiter: string, after: string) => ({ prefix, delimiter, after });

it.each([
  ['a/b/c', '', '/', 'a/'],
  ['a/b/c', 'a/', '/', 'a/b/'],
  ['a/b/c', 'a/b/', '/', undefined],
  ['a/', 'a/', '/', undefined],
  ['/', '', '/', '/'],
  ['a--b', '', '--', 'a--'],
  ['b/c', 'a', '/', undefined],
  ['a/b', '', '', undefined],
])('of %j after prefix %j with delimiter %j, %j is common', (key, prefix, delimiter, common) => {
  expect(commonPrefixOf(key, { prefix, delimiter })).toBe(common);
});

it.each([
  [at('', '', ''), ''],
  [at('p', '', ''), 'p'],
  [at('p', '', 'a'), 'p'],
  [at('p', '', 'pa'), 'pa\0'],
  [at('p', '', 'q'), 'q\0'],
  [at('', '', 'a/b'), 'a/b\0'],
])('%j starts at %j', (page, start) => expect(startOf(page).toString()).toBe(start));

it('a page after a key in a common prefix starts after all keys with that prefix', () => {
  expect(startOf(at('', '/', 'a/b')).toString('latin1')).toBe('a/\xff');
  expect(startOf(at('', '/', 'a/')).toString('latin1')).toBe('a/\xff');
});

it('ends after all keys with its prefix', () => {
  expect(endOf({ prefix: 'p' }).toString('latin1')).toBe('p\xff');
  expect(endOf({ prefix: '' }).toString('latin1')).toBe('\xff');
});

it('continues within a key of the page', () => {
  expect(goesOnWithin(at('', '', 'a'))).toBe(true);
  expect(goesOnWithin(at('p', '', 'a'))).toBe(false);
  expect(goesOnWithin(at('', '/', 'a/b'))).toBe(false);
});
