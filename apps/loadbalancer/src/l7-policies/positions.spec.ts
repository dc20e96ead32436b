import { expect, it } from '@jest/globals';
import { LAST } from '../tree/l7-policy.entity.js';
import { placed, without } from './positions.js';

const three = ['a', 'b', 'c'];

it.each([
  ['first', 1, ['new', 'a', 'b', 'c']],
  ['in between', 2, ['a', 'new', 'b', 'c']],
  ['last', 4, ['a', 'b', 'c', 'new']],
  ['beyond the end', 9, ['a', 'b', 'c', 'new']],
  ['anywhere', LAST, ['a', 'b', 'c', 'new']],
])('inserts a policy: %s', (_, position, order) => {
  expect(placed(three, 'new', position)).toEqual(order);
});

it.each([
  ['up', 'c', 1, ['c', 'a', 'b']],
  ['down', 'a', 2, ['b', 'a', 'c']],
  ['to the end', 'a', LAST, ['b', 'c', 'a']],
  ['nowhere', 'b', 2, ['a', 'b', 'c']],
])('moves a policy: %s', (_, id, position, order) => {
  expect(placed(three, id, position)).toEqual(order);
});

it('closes the gap', () => {
  expect(without(three, 'b')).toEqual(['a', 'c']);
});
