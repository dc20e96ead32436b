import { describe, expect, it } from '@jest/globals';
import { firstPageUrl, nextPageUrl, pageClause, sortKeys } from './paging.js';

const columns = { name: 'name', created_at: 'created_at', uuid: 'id' };

describe('sortKeys', () => {
  it('ends in the unique column, so that the order is total', () => {
    expect(sortKeys([{ key: 'name', direction: 'desc' }], columns, [], 'id')).toEqual([
      { column: 'name', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ]);
  });

  it('leaves an order that is total already', () => {
    expect(sortKeys([{ key: 'uuid', direction: 'asc' }], columns, [], 'id')).toHaveLength(1);
  });

  it('falls back where nothing is asked for', () => {
    const fallback = [{ column: 'created_at', direction: 'desc' }] as const;
    expect(sortKeys([], columns, fallback, 'id')).toEqual([
      { column: 'created_at', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ]);
  });

  it.each(['colour', 'toString', '__proto__'])('refuses to sort by %s', (key) => {
    expect(() => sortKeys([{ key, direction: 'asc' }], columns, [], 'id')).toThrow(
      `Invalid input: sort_key '${key}' is not one of name, created_at, uuid.`,
    );
  });
});

describe('pageClause', () => {
  const sort = [
    { column: 'name', direction: 'asc' },
    { column: 'id', direction: 'desc' },
  ] as const;

  it('has no condition on the first page', () => {
    expect(pageClause({ limit: 10, sort }, 3)).toEqual({
      condition: 'true',
      order: 'ORDER BY name asc, id desc LIMIT $3',
      params: [10],
    });
  });

  it('starts after the marker, each key in its direction', () => {
    expect(pageClause({ limit: 10, sort, after: ['b', 7] }, 1)).toEqual({
      condition: '((name > $1) OR (name = $1 AND id < $2))',
      order: 'ORDER BY name asc, id desc LIMIT $3',
      params: ['b', 7, 10],
    });
  });
});

describe('page addresses', () => {
  it('keep the query and replace the marker', () => {
    expect(nextPageUrl('/servers?limit=2&marker=a&name=x', 'b')).toBe(
      '/servers?limit=2&marker=b&name=x',
    );
  });

  it('keep a question mark that belongs to the query', () => {
    expect(nextPageUrl('/servers?name=webs?', 'b')).toBe('/servers?name=webs%3F&marker=b');
  });

  it('lose the marker on the first page', () => {
    expect(firstPageUrl('/servers?marker=a&limit=2')).toBe('/servers?limit=2');
    expect(firstPageUrl('/servers?marker=a')).toBe('/servers');
    expect(firstPageUrl('/servers')).toBe('/servers');
  });
});
