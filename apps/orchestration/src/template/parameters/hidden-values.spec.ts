import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../json/json.js';
import { HiddenValues } from './hidden-values.js';

const of = (value: Json, hidden = true): HiddenValues => new HiddenValues([{ hidden, value }]);

describe('hidden values', () => {
  it.each<[Json, string, string]>([
    ['secret', '"secret" is no number, secret', '"******" is no number, ******'],
    ['a"b\\c', String.raw`{"a": "a\"b\\c"} and a"b\c`, '{"a": "******"} and ******'],
    ['$.*+?', 'It is $.*+?.', 'It is ******.'],
    ['12', '12 is not within 120 and 12', '****** is not within 120 and ******'],
    [4711, 'Value 4711', 'Value ******'],
    [['first', 'second'], 'first, second, third', '******, ******, third'],
    [{ key: { deep: 'inner' } }, 'inner of key', '****** of key'],
    [true, 'It is true', 'It is true'],
    ['', 'Nothing is left out', 'Nothing is left out'],
  ])('%j are removed from: %s', (value, text, without) => {
    expect(of(value).without(text)).toBe(without);
    expect(of(value, false).without(text)).toBe(text);
  });

  it('are removed if one is part of another', () => {
    const two = new HiddenValues([
      { hidden: true, value: 'word' },
      { hidden: true, value: 'password' },
    ]);
    expect(two.without('password')).toBe('******');
  });
});
