import { describe, expect, it } from '@jest/globals';
import { lastLines } from './last-lines.js';

describe('lastLines', () => {
  it.each([
    ['one\ntwo\nthree\n', 2, 'two\nthree\n'],
    ['one\ntwo\nthree', 2, 'two\nthree'],
    ['one\ntwo\n', 5, 'one\ntwo\n'],
    ['\n\n', 1, '\n'],
    ['one\n', 0, ''],
    ['', 3, ''],
  ])('of %j, %i are %j', (text, count, expected) => {
    expect(lastLines(text, count)).toBe(expected);
  });
});
