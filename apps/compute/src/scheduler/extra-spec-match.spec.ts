import { expect, it } from '@jest/globals';
import { meetsExtraSpec } from './extra-spec-match.js';

it.each([
  ['4', '= 4', true],
  ['3', '= 4', false],
  ['4', '== 4.0', true],
  ['4', '!= 4', false],
  ['4', '>= 3', true],
  ['4', '<= 3', false],
  ['abc', 's== abc', true],
  ['abc', 's!= abc', false],
  ['abc', 's< b', true],
  ['abc', 's<= abb', false],
  ['abc', 's> abb', true],
  ['abc', 's>= abd', false],
  ['fpu sse2', '<in> sse2', true],
  ['fpu sse2', '<in> avx', false],
  ['fpu sse2', '<all-in> sse2 fpu', true],
  ['fpu sse2', '<all-in> sse2 avx', false],
  ['b', '<or> a <or> b', true],
  ['c', '<or> a <or> b', false],
  ['true', 'true', true],
  ['true', 'false', false],
  ['x', '>=', false],
])('%s is or is not what "%s" requires: %s', (value, required, expected) => {
  expect(meetsExtraSpec(value, required)).toBe(expected);
});
