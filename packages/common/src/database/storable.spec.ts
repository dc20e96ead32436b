import { expect, it } from '@jest/globals';
import { isStorable } from './storable.js';

it.each([
  ['', true],
  ['plain', true],
  ['\ud83d\ude00 a whole pair', true],
  ['a null\0character', false],
  ['half \ud83d of a pair', false],
  ['the other half \ude00', false],
])('%j can be stored: %s', (text, expected) => {
  expect(isStorable(text)).toBe(expected);
});
