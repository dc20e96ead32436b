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
  ['creation by default', {}, 'created_at asc'],
  ['several keys', { sort: 'name:desc,id' }, 'name desc, id asc, created_at asc'],
  [
    'separate keys and directions',
    { sort_key: 'name,id', sort_dir: 'DESC' },
    'name desc, id asc, created_at asc',
  ],
  ['creation in reverse', { sort: 'created_at:desc' }, 'created_at desc'],
])('a list is sorted by %s', (_, query, expected) => {
  expect(order(query)).toBe(expected);
});

it.each([
  ['infinite', '0'],
  ['-1', '0'],
  ['0', '0'],
  ['25', '25'],
])('a limit of %s means %s rows, and 0 means all', (limit, expected) => {
  expect(octaviaQuery(thing, { limit }).limit).toBe(expected);
});

describe('a query is refused', () => {
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
