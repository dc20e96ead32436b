import { expect, it } from '@jest/globals';
import { listOf, Refusal, setOf, text } from './value-type.js';

it('a list has at most a thousand items by default', () => {
  const items = Array<string>(1_000).fill('a');
  expect(listOf(text()).read(items)).toEqual(items);
  expect(() => listOf(text()).read([...items, 'a'])).toThrow('the list has more than 1000 items');
  expect(() => listOf(text(), 2).read(['a', 'b', 'c'])).toThrow(Refusal);
});

it('a set names its duplicate', () => {
  const items = Array.from({ length: 1_000 }, (_, at) => String(at));
  expect(setOf(text()).read(items)).toEqual(items);
  expect(() => setOf(text()).read([...items.slice(1), '7'])).toThrow("'7' is given twice");
});
