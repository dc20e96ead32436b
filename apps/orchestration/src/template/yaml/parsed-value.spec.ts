import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../json/json.js';
import { checkParsed } from './parsed-value.js';

const LIMITS = { maxBytes: 20, maxNodes: 10, maxDepth: 3, maxAliases: 0 };

describe('values that a client has parsed', () => {
  it('pass within the limits', () => {
    expect(() => checkParsed({ a: [1, { b: null }] }, LIMITS, 'template')).not.toThrow();
  });

  it.each<[string, Json, string]>([
    ['deep', [[[[1]]]], 'more than 3 deep'],
    ['many', Array.from({ length: 10 }, () => 1), 'more than 10 values'],
    ['large', { abcdefghij: 'abcdefghijk' }, '(21 bytes) exceeds maximum allowed size (20 bytes)'],
  ])('are refused if they are too %s', (_, value, message) => {
    expect(() => checkParsed(value, LIMITS, 'template')).toThrow(message);
  });

  it('are checked without recursion', () => {
    let deep: Json = 1;
    for (let depth = 0; depth < 100_000; depth += 1) {
      deep = [deep];
    }

    expect(() => checkParsed(deep, { ...LIMITS, maxNodes: 1e6 }, 'template')).toThrow('3 deep');
  });
});
