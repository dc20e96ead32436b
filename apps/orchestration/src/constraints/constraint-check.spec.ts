import { describe, expect, it } from '@jest/globals';
import type { Json } from '../json/json.js';
import type { PropertyType } from './property-schema.js';
import { faultOf, type PlainConstraint } from './constraint-check.js';

const cases: readonly [PlainConstraint, Json, PropertyType, string | undefined][] = [
  [{ kind: 'range', min: 1, max: 3 }, 2, 'integer', undefined],
  [{ kind: 'range', min: 1, max: 3 }, 4, 'integer', '4 is out of range (min: 1, max: 3)'],
  [{ kind: 'range', min: 1 }, '0.5', 'number', '0.5 is out of range (min: 1, max: None)'],
  [{ kind: 'length', max: 2 }, '😀😀', 'string', undefined],
  [{ kind: 'length', max: 2 }, 'abc', 'string', 'length (3) is out of range (min: None, max: 2)'],
  [{ kind: 'length', min: 1 }, [], 'list', 'length (0) is out of range (min: 1, max: None)'],
  [{ kind: 'length', min: 1 }, { a: 1 }, 'map', undefined],
  [{ kind: 'modulo', step: 2, offset: 1 }, 3, 'integer', undefined],
  [{ kind: 'modulo', step: 2, offset: 1 }, -3, 'integer', undefined],
  [{ kind: 'modulo', step: -3, offset: -1 }, 2, 'integer', undefined],
  [
    { kind: 'modulo', step: 2, offset: 1 },
    4,
    'integer',
    '4 is not a multiple of 2 with an offset of 1',
  ],
  [{ kind: 'values', allowed: ['a', 1] }, '1', 'string', undefined],
  [{ kind: 'values', allowed: ['1'] }, 1, 'number', undefined],
  [{ kind: 'values', allowed: ['yes'] }, true, 'boolean', undefined],
  [{ kind: 'values', allowed: ['a', 'b'] }, ['b', 'a'], 'list', undefined],
  [
    { kind: 'values', allowed: ['a', 'b'] },
    ['c'],
    'list',
    '["c"] is not an allowed value ["a", "b"]',
  ],
  [{ kind: 'values', allowed: ['a'] }, 'c', 'string', '"c" is not an allowed value ["a"]'],
  [{ kind: 'pattern', pattern: 'a+' }, 'aa', 'string', undefined],
  [{ kind: 'pattern', pattern: 'a+' }, 'ab', 'string', '"ab" does not match pattern "a+"'],
  [{ kind: 'pattern', pattern: 'a', description: 'Only a.' }, 'b', 'string', 'Only a.'],
];

describe('faultOf', () => {
  it.each(cases)('%j of %j as %s: %s', (constraint, value, type, fault) => {
    expect(faultOf(constraint, value, type)).toBe(fault);
  });

  it.each<PlainConstraint>([
    { kind: 'pattern', pattern: 'x' },
    { kind: 'values', allowed: ['x'] },
  ])('does not quote a secret in the fault of %j', (constraint) => {
    const fault = faultOf(constraint, 'hunter2', 'string', { isSecret: true });
    expect(fault).toContain('******');
    expect(fault).not.toContain('hunter2');
  });
});
