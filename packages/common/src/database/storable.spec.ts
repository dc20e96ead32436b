import { expect, it } from '@jest/globals';
import { characterCount, isStorable } from './storable.js';

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

it.each([
  ['', 0],
  ['plain', 5],
  ['\ud83d\ude00\ud83d\ude00', 2],
  ['half \ud83d of a pair', 16],
])('%j has %i characters', (text, expected) => {
  expect(characterCount(text)).toBe(expected);
});
