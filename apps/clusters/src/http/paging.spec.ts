import { expect, it } from '@jest/globals';
import { nextOf, PageQuery } from './paging.js';

const BASE = { baseUrl: 'http://magnum' };

it("the next link has the query's filters, without its old paging", () => {
  const query = Object.assign(new PageQuery(), { role: 'worker', marker: 'a', limit: 2 });
  expect(nextOf(BASE, 'things', query, { rows: [{ id: 'b' }, { id: 'c' }], more: true })).toEqual({
    next: 'http://magnum/v1/things?role=worker&sort_key=id&sort_dir=asc&limit=2&marker=c',
  });
});

it('the last page has no next link', () => {
  expect(nextOf(BASE, 'things', { limit: 1 }, { rows: [{ id: 3 }], more: false })).toEqual({});
});
