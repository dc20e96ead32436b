import { expect, it } from '@jest/globals';
import { Recent } from './recent.js';

it('forgets the oldest when it is full', () => {
  const recent = new Recent<number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  recent.set('a', 3);
  recent.set('c', 4);
  expect(['a', 'b', 'c'].map((name) => recent.get(name))).toEqual([3, undefined, 4]);
});

it('does not count what is past its life', () => {
  const recent = new Recent<number>(2);
  expect(recent.set('a', 1, 0)).toBe(1);
  expect(recent.get('a')).toBeUndefined();
});
