import { expect, it } from '@jest/globals';
import { pythonLiteral } from './python-literal.js';

it.each<[string, unknown]>([
  ["{'a': 'b'}", { a: 'b' }],
  ["{'a': 'b', 'n': 1, 'x': 1.5, 'yes': True, 'no': False, 'none': None}", null],
  ['[]', []],
  ['{}', {}],
  [
    "[{'key': 'k', 'value': '', 'effect': 'NoSchedule'},]",
    [{ key: 'k', value: '', effect: 'NoSchedule' }],
  ],
  ['{"it\'s": "said \\"so\\""}', { "it's": 'said "so"' }],
  [String.raw`'a\nb\\c\x41\u00e9'`, 'a\nb\\cA\u00e9'],
  [" [1, -2, ['x']] ", [1, -2, ['x']]],
])('reads %s', (text, value) => {
  const expected = value ?? { a: 'b', n: 1, x: 1.5, yes: true, no: false, none: null };
  expect(pythonLiteral(text)).toEqual(expected);
});

it.each([
  '',
  '{',
  "{'a': }",
  "{'a' 'b'}",
  "{'a': 'b'} x",
  "{1: 'b'}",
  '[1 2]',
  '[,]',
  "('a',)",
  "__import__('os')",
  '1a',
  "'open",
  'toString',
  '['.repeat(20) + ']'.repeat(20),
  `'${'x'.repeat(70_000)}'`,
])('takes %p for none', (text) => {
  expect(pythonLiteral(text)).toBeUndefined();
});

it('treats names special to JavaScript as plain names', () => {
  const read = pythonLiteral("{'__proto__': {'polluted': True}}") as object;
  expect(Object.hasOwn(read, '__proto__')).toBe(true);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
