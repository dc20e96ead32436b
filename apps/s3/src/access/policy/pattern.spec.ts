import { describe, expect, it } from '@jest/globals';
import { isLike, partsOf, patternOf, plainText } from './pattern.js';

const NONE = (): undefined => undefined;
const KNOWN = (name: string): string | undefined => ({ user: 'ann', star: 'a*' })[name];

describe('a pattern', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'ABC', false],
    ['abc', 'abcd', false],
    ['', '', true],
    ['*', '', true],
    ['*', 'a/b', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abcb', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', '😀', true],
    ['*b*d*', 'abcde', true],
    ['*ab', 'aab', true],
    ['a.c', 'abc', false],
    ['**', 'x', true],
  ])('%j matches %j: %j', (pattern, text, expected) => {
    expect(isLike(patternOf(pattern, true), text, NONE)).toBe(expected);
  });

  it('matches in bounded time, however many wildcards it has', () => {
    const pattern = patternOf('*a'.repeat(500), true);
    expect(isLike(pattern, `${'a'.repeat(1000)}b`, NONE)).toBe(false);
  });

  it.each([
    ['home/${user}/*', 'home/ann/x', true],
    ['home/${user}/*', 'home/bob/x', false],
    ['${star}', 'ab', false],
    ['${star}', 'a*', true],
    ['${nobody}', '', false],
    ["${nobody, 'all'}", 'all', true],
    ['a${*}b', 'a*b', true],
    ['a${*}b', 'axb', false],
    ['${?}${$}', '?$', true],
  ])('%j with variables matches %j: %j', (pattern, text, expected) => {
    expect(isLike(patternOf(pattern, true), text, KNOWN)).toBe(expected);
  });

  it('of an old policy version has no variables', () => {
    expect(isLike(patternOf('${user}', false), 'ann', KNOWN)).toBe(false);
    expect(isLike(patternOf('${user}', false), '${user}', KNOWN)).toBe(true);
  });

  it('as plain text has no wildcards', () => {
    expect(plainText(patternOf('a*?${user}', true), KNOWN)).toBe('a*?ann');
    expect(plainText(patternOf('${nobody}', true), KNOWN)).toBeUndefined();
  });

  it('is split into parts, the last of which keeps separators', () => {
    const parts = partsOf(patternOf('arn:aws:s3:::b/${a:b}:*', true), ':', 6);
    expect(parts.map(({ text }) => text)).toEqual(['arn', 'aws', 's3', '', '', 'b/${a:b}:*']);
  });
});
