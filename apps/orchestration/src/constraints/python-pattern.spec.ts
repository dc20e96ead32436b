import { describe, expect, it } from '@jest/globals';
import { PythonPattern } from './python-pattern.js';
import { PatternFault } from './python-syntax.js';

describe('patterns of templates', () => {
  it.each([
    ['[A-Z]+[0-9]', 'ABC1', true],
    ['[A-Z]+', 'ABCd', false],
    [String.raw`\A[a-z\-\.]+\Z`, 'a-b.c', true],
    ['[]a]+', ']a]', true],
    ['[^]]+', 'ab', true],
    ['[[:a:]+', '[:a', true],
    ['[+--]', ',', true],
    ['(?i)abc', 'aBc', true],
    ['a(?i:b)c', 'aBc', true],
    ['a(?i:b)c', 'aBC', false],
    ['(?x) a b # and no more', 'ab', true],
    ['(?P<one>a|b)+', 'bb', true],
    ['(?#of names)x', 'x', true],
    ['a{,3}', 'aa', true],
    ['a{,3}', 'aaaa', false],
    ['a{,}', 'aaaa', true],
    ['a{b}', 'a{b}', true],
    ['a{}', 'a{}', true],
    [String.raw`\w+`, 'größe', true],
    [String.raw`(?a)\w+`, 'größe', false],
    [String.raw`[\w.]+`, 'größe.1', true],
    [String.raw`[\W]`, '-', true],
    [String.raw`[^\W\d_]+`, 'größe', true],
    [String.raw`[^\W\d_]+`, 'g1', false],
    [String.raw`\d+`, '٣', true],
    [String.raw`\s`, '\u2028', true],
    [String.raw`[\S]`, '\u2028', false],
    ['.', '\r', true],
    ['.', '\n', false],
    [String.raw`\_\-\ \@\"`, '_- @"', true],
    [String.raw`\U0001F600`, '😀', true],
    [String.raw`\x41\101\u0041`, 'AAA', true],
    [String.raw`\bab\b`, 'ab', true],
    ['.', '😀', true],
    ['[a-z-]+(?<!-)', 'a-b', true],
    ['[a-z-]+(?<!-)', 'ab-', false],
    ['(?!-)[a-z-]+', '-a', false],
    ['^(?=.*[0-9])(?=.*[a-z]).{2,8}$', 'a1', true],
    ['^(?=.*[0-9])(?=.*[a-z]).{2,8}$', 'ab', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j of %j: %j', (pattern, value, isMatch) => {
    expect(new PythonPattern(pattern).matches(value)).toBe(isMatch);
  });

  it('takes the first alternative that matches, as Python does', () => {
    expect(new PythonPattern('a|ab').matches('ab')).toBe(false);
    expect(new PythonPattern('ab|a').matches('ab')).toBe(true);
  });

  it.each([
    ['(', 'missing ), unterminated subpattern'],
    ['a)', 'unbalanced parenthesis'],
    ['[a', 'unterminated character set'],
    ['[b-a]', "bad character range at '-a'"],
    [String.raw`[\w-a]`, "bad character range at '-a'"],
    ['a\\', 'bad escape (end of pattern)'],
    [String.raw`\q`, String.raw`bad escape '\q'`],
    [String.raw`\N{DASH}`, String.raw`bad escape '\N'`],
    [String.raw`\p{L}`, String.raw`bad escape '\p'`],
    [String.raw`\U12`, String.raw`'\U' without 8 digits of a character's code`],
    ['*a', 'nothing to repeat'],
    ['^*', 'nothing to repeat'],
    ['a**', 'multiple repeat'],
    ['a{3,2}', 'min repeat greater than max repeat'],
    ['a(?i)b', 'global flags not at the start of the expression'],
    ['(?L)a', "unknown flag 'L'"],
    ['(?P<n>a)(?P<n>b)', "redefinition of group name 'n'"],
    ['(?P<1>a)', "bad character in group name '1'"],
    ['(?#a', 'missing ), unterminated comment'],
    ['(?P<one>a|b)(?P=one)', "a back reference ('(?P=') is not supported"],
    [String.raw`(a)\1`, String.raw`a back reference ('\1') is not supported`],
    ['(?>a)', "an atomic group ('(?>') is not supported"],
    ['(a)?(?(1)b|c)', "a conditional group ('(?(') is not supported"],
    ['a++', "possessive repetition ('++') is not supported"],
    ['a(?=b)b', "a look-ahead ('(?=') anywhere but at a pattern's beginning is not supported"],
    ['(?=a)a|b', 'a look-ahead in one of several alternatives is not supported'],
    ['a{1001}', 'repeating more than 1000 times is not supported'],
    ['(a{100}){100}', 'repeating more than 1000 times is not supported'],
  ])('refuses %j: %s', (pattern, reason) => {
    expect(() => new PythonPattern(pattern)).toThrow(new PatternFault(reason));
  });

  it.each([
    ['expression too large', '.{1000}'.repeat(2_300)],
    ['expression nests too deeply', `${'('.repeat(5_000)}${')'.repeat(5_000)}`],
  ])('refuses a pattern that would take all memory: %s', (reason, pattern) => {
    expect(() => new PythonPattern(pattern)).toThrow(new PatternFault(reason));
  });

  it('refuses Unicode word boundaries', () => {
    expect(() => new PythonPattern(String.raw`\bgr.*`).matches('größe')).toThrow(
      new PatternFault(String.raw`'\b' knows words of ASCII alone, and the value has others`),
    );
    expect(new PythonPattern(String.raw`(?a)\bgr.*`).matches('größe')).toBe(true);
  });

  it.each(['(a+)+$', '(a|a)+$', '(?=(.*a)*$)a+'])(
    'matches in linear time where backtracking takes exponential time: %s',
    (pattern) => {
      expect(new PythonPattern(pattern).matches(`${'a'.repeat(10_000)}b`)).toBe(false);
    },
  );

  it('tells whether a value begins with a match', () => {
    const names = ['OS::Nova::Server', 'OS::Neutron::Net', 'AWS::EC2::Instance', ''];
    const begun = (pattern: string): boolean[] =>
      names.map((name) => new PythonPattern(pattern).begins(name));
    expect(begun('OS::N.*r')).toEqual([true, true, false, false]);
    expect(begun('')).toEqual([true, true, true, true]);
  });
});
