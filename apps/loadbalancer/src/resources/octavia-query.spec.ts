import { describe, expect, it } from '@jest/globals';
import type { Query } from '@cumulet/common/resources/list-query';
import { octaviaQuery } from './octavia-query.js';
import { defineResource, NAME } from './resource.js';

const thing = defineResource({ singular: 'thing', plural: 'things', attributes: NAME });

const order = (query: Query): string => {
  const { sort_key: keys = [], sort_dir: directions = [] } = octaviaQuery(thing, query);
  return [keys]
    .flat()
    .map((key, at) => `${key} ${directions[at]}`)
    .join(', ');
};

it.each<[string, Query, string]>([
  ['creation unless it says otherwise', {}, 'created_at asc'],
  ['several keys', { sort: 'name:desc,id' }, 'name desc, id asc, created_at asc'],
  [
    'keys and directions apart',
    { sort_key: 'name,id', sort_dir: 'DESC' },
    'name desc, id asc, created_at asc',
  ],
  ['creation from the last', { sort: 'created_at:desc' }, 'created_at desc'],
])('a list is in the order of %s', (_, query, expected) => {
  expect(order(query)).toBe(expected);
});

it.each([
  ['infinite', '0'],
  ['-1', '0'],
  ['0', '0'],
  ['25', '25'],
])('a limit of %s is %s rows, and 0 all of them', (limit, expected) => {
  expect(octaviaQuery(thing, { limit }).limit).toBe(expected);
});

describe('is refused', () => {
  it.each<[string, Query]>([
    ["Supplied sort key 'colour' is not valid.", { sort: 'colour:asc' }],
    ["Supplied sort key 'tags' is not valid.", { sort_key: 'tags' }],
    ["Supplied sort key 'name:asc:desc' is not valid.", { sort: 'name:asc:desc' }],
    ["Supplied sort direction 'up' is not valid.", { sort: 'name:up' }],
    ["Supplied pagination limit 'few' is not valid.", { limit: 'few' }],
  ])('%s', (message, query) => {
    expect(() => octaviaQuery(thing, query)).toThrow(new Error(message));
  });
});
