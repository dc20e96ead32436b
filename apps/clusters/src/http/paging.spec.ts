import { expect, it } from '@jest/globals';
import { nextOf, PageQuery } from './paging.js';

const BASE = { baseUrl: 'http://magnum' };

it('the next page has the filters of the query, and no page of before', () => {
  const query = Object.assign(new PageQuery(), { role: 'worker', marker: 'a', limit: 2 });
  expect(nextOf(BASE, 'things', query, { rows: [{ id: 'b' }, { id: 'c' }], more: true })).toEqual({
    next: 'http://magnum/v1/things?role=worker&sort_key=id&sort_dir=asc&limit=2&marker=c',
  });
});

it('there is none after the last', () => {
  expect(nextOf(BASE, 'things', { limit: 1 }, { rows: [{ id: 3 }], more: false })).toEqual({});
});
