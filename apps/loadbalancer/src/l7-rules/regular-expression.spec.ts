import { describe, expect, it } from '@jest/globals';
import { TAKEN } from './regular-expression.fixture.js';
import { expressionFault } from './regular-expression.js';

describe('an expression is accepted', () => {
  it.each(TAKEN)('%s', (text) => {
    expect(expressionFault(text)).toBeUndefined();
  });
});

describe('an expression that does not compile is refused', () => {
  it.each([
    ['(', "missing ')'"],
    ['a)', "unmatched ')'"],
    ['[a', "missing ']'"],
    ['*a', 'nothing to repeat at 0'],
    ['a|+', 'nothing to repeat'],
    ['{3}', 'nothing to repeat'],
    ['a**', 'a count after another'],
    ['a++', 'a count after another'],
    ['a{3,2}', 'counts down'],
    ['a{1001}', 'is more than 1000'],
    ['a{,3}', 'is no count'],
    ['[z-a]', 'a range of no characters'],
    ['[\\d-z]', 'a range of no characters'],
    ['[[:nope:]]', "unknown class '[:nope:]'"],
    ['[[:constructor:]]', "unknown class '[:constructor:]'"],
    ['a\\', 'it ends with a backslash'],
    ['(a)\\1', "'\\1' is not supported"],
    ['\\p{L}', "'\\p' is not supported"],
    ['\\xg', 'without two digits'],
    ['(?<n>a)', "'(?<n' is not supported"],
    ['(?<=a)b', "'(?<=' is not supported"],
    ['(?R)', "'(?R' is not supported"],
    ['é', 'other characters than ASCII'],
    ['a\nb', 'other characters than ASCII'],
    ['('.repeat(60) + ')'.repeat(60), 'nested too deeply'],
  ])('%s', (text, reason) => {
    expect(expressionFault(text)).toContain(reason);
  });
});

describe('an expression with exponential run time is refused', () => {
  it.each([
    '(a+)+$',
    '(a*)*b',
    '([a-z]+)*x',
    '(a|a)*b',
    '(a|ab|b)*c',
    '(.*)*x',
    '(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    '(a|[ab])+c',
    '((ab)*)*x',
    '(a+|b+)*c',
    '(?!(a+)+b)c',
    '(a?){30}b',
    '(a|a){30}b',
    '(.{0,200}x)+y',
    '([^/]*/?)+$',
    '(a{1,20}){30}',
  ])('%s', (text) => {
    expect(expressionFault(text)).toMatch(/too many ways|can match nothing/);
  });

  it('considering whether it ignores case', () => {
    expect(expressionFault('(a|A)+x')).toBeUndefined();
    expect(expressionFault('(a|A)+x', true)).toContain('too many ways');
    expect(expressionFault('(?i)(a|A)+x')).toContain('too many ways');
  });
});

it('is judged quickly, however it is written', () => {
  const hostile = [
    '(.|.)'.repeat(50),
    '.{64}'.repeat(50),
    '(' + '[a-z]?'.repeat(40) + 'x)*',
    '(a' + '|a'.repeat(120) + ')*',
    '((((.{4}){4}){4}){4}){4}',
    '(?=(.*)'.repeat(30) + ')'.repeat(30),
    '(.{0,64}.{0,64}.{0,64}.{0,64}.{0,64})*',
    '(' + '.{0,64}x'.repeat(5) + ')*',
    '(' + '[^a]?'.repeat(49) + 'a)*',
  ];
  for (const text of hostile) expect(() => expressionFault(text.slice(0, 255))).not.toThrow();
});
