import { describe, expect, it } from '@jest/globals';
import { beginningsWithinLimit, matchesPattern, matchesWithinLimit } from './match-pattern.js';
import { compilePattern, PatternFault } from './python-pattern.js';

describe('patterns of templates', () => {
  it.each([
    ['[A-Z]+[0-9]', 'ABC1', true],
    ['[A-Z]+', 'ABCd', false],
    [String.raw`\A[a-z\-\.]+\Z`, 'a-b.c', true],
    ['[]a]+', ']a]', true],
    ['[^]]+', 'ab', true],
    ['(?i)abc', 'aBc', true],
    ['(?P<one>a|b)(?P=one)', 'bb', true],
    ['(?P<one>a|b)(?P=one)', 'ab', false],
    ['(?#of names)x', 'x', true],
    ['a{,3}', 'aa', true],
    ['a{,3}', 'aaaa', false],
    ['a{b}', 'a{b}', true],
    [String.raw`\w+`, 'größe', true],
    [String.raw`[\w.]+`, 'größe.1', true],
    [String.raw`\d+`, '٣', true],
    [String.raw`\_\-\ \@\"`, '_- @"', true],
    [String.raw`\U0001F600`, '😀', true],
    ['.', '😀', true],
    ['a(?=b)b', 'ab', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j of %j: %j', (pattern, value, isMatch) => {
    expect(matchesPattern(pattern, value)).toBe(isMatch);
    expect(matchesWithinLimit(pattern, value)).toBe(isMatch);
  });

  it('takes the first way that matches, as Python does', () => {
    expect(matchesPattern('a|ab', 'ab')).toBe(false);
    expect(matchesPattern('ab|a', 'ab')).toBe(true);
  });

  it.each([
    ['(', 'Unterminated group'],
    ['[a', "missing ']'"],
    ['a\\', 'it ends with a backslash'],
    ['(?x)a b', "the flag 'x' is not supported"],
    ['(?>a)', "'(?>a' is not supported"],
    [String.raw`[\W]`, String.raw`'\W' within brackets is not supported`],
    [String.raw`\N{DASH}`, String.raw`'\N' is not supported`],
    [String.raw`\U12`, String.raw`'\U' without eight digits`],
    ['a**', 'Nothing to repeat'],
  ])('refuses %j: %s', (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(new PatternFault(reason));
  });

  it('gives up a match that takes for ever', () => {
    expect(() => matchesWithinLimit('(a+)+$', `${'a'.repeat(60)}b`)).toThrow(PatternFault);
  });

  it('tells which of many begin so', () => {
    const names = ['OS::Nova::Server', 'OS::Neutron::Net', 'AWS::EC2::Instance', ''];
    expect(beginningsWithinLimit('OS::N.*r', names, 50)).toEqual([true, true, false, false]);
    expect(beginningsWithinLimit('', names, 50)).toEqual([true, true, true, true]);
  });

  it('gives many no more time than one', () => {
    const names = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(40)}${at}!`);
    expect(() => beginningsWithinLimit('([a-z0-9]+)+$', names, 20)).toThrow(PatternFault);
  });
});
