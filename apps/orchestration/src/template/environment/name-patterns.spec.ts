import { describe, expect, it } from '@jest/globals';
import { matchesName } from './derived-environment.js';

describe('matchesName', () => {
  it.each([
    ['web', 'web', true],
    ['web', 'web1', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['web*', 'web_1', true],
    ['*_db', 'my_db', true],
    ['*_db', 'my_db2', false],
    ['a*b*c', 'axxbxxbc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['web[1-3]', 'web2', true],
    ['web[1-3]', 'web4', false],
    ['web[!1-3]', 'web4', true],
    ['[]]', ']', true],
    ['[!]]', ']', false],
    ['web[', 'web[', true],
    ['a.c', 'abc', false],
    ['Web', 'web', false],
  ])('matches %j with %j: %j', (pattern, name, isMatch) => {
    expect(matchesName(pattern, name)).toBe(isMatch);
  });

  it('takes linear time for any pattern', () => {
    expect(matchesName('*a'.repeat(200), 'a'.repeat(255))).toBe(true);
    expect(matchesName(`${'*a'.repeat(100)}b`, 'a'.repeat(255))).toBe(false);
  });
});
