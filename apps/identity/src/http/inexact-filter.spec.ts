import { describe, expect, it } from '@jest/globals';
import { createValidationPipe } from '@cumulet/common/http/validation';
import { inexactFilters, InexactFilters, inexactMatch } from './inexact-filter.js';

@InexactFilters('name', 'domain_id')
class Query {}

@InexactFilters('parent_id')
class NarrowerQuery extends Query {}

async function read(query: object, metatype: new () => object = Query): Promise<unknown> {
  const dto: unknown = await createValidationPipe().transform(query, { type: 'query', metatype });
  return inexactFilters(dto as object);
}

describe('inexactFilters', () => {
  it.each([
    ['contains', 'LIKE', '%part%'],
    ['icontains', 'ILIKE', '%part%'],
    ['startswith', 'LIKE', 'part%'],
    ['istartswith', 'ILIKE', 'part%'],
    ['endswith', 'LIKE', '%part'],
    ['iendswith', 'ILIKE', '%part'],
  ])('knows %s', async (comparator, operator, pattern) => {
    expect(await read({ [`name__${comparator}`]: 'part' })).toEqual([
      { attribute: 'name', operator, pattern },
    ]);
  });

  it('takes what is looked for literally', async () => {
    const [filter] = (await read({ name__startswith: String.raw`50%_\ ` })) as object[];
    expect(filter).toMatchObject({ pattern: String.raw`50\%\_\\ %` });
  });

  it('knows the attributes of the queries that a query is made of', async () => {
    const query = { domain_id__contains: 'a', parent_id__contains: 'b' };
    expect(await read(query, NarrowerQuery)).toHaveLength(2);
    expect(await read(query)).toHaveLength(1);
  });

  it.each(['name', 'name__like', 'name__', '__contains', 'extra__contains', 'name__constructor'])(
    'leaves %s out',
    async (name) => {
      expect(await read({ [name]: 'part' })).toEqual([]);
    },
  );

  it('refuses a filter that is given twice', async () => {
    await expect(read({ name__contains: ['a', 'b'] })).rejects.toThrow('name__contains');
  });
});

describe('inexactMatch', () => {
  const filters = [
    { attribute: 'name', operator: 'LIKE', pattern: 'a%' },
    { attribute: 'place', operator: 'ILIKE', pattern: '%b' },
  ] as const;

  it('gives a condition with the patterns as its parameters', () => {
    expect(inexactMatch(filters, { name: 'name', place: 'COALESCE(place, room)' }, 3)).toEqual({
      condition: 'true AND name LIKE $3 AND COALESCE(place, room) ILIKE $4',
      params: ['a%', '%b'],
      next: 5,
    });
  });

  it('holds of every row without a filter', () => {
    expect(inexactMatch(undefined, {}, 3)).toEqual({ condition: 'true', params: [], next: 3 });
  });

  it('does not pass over an attribute without a column', () => {
    expect(() => inexactMatch(filters, { name: 'name' }, 1)).toThrow(
      'no column is known for place',
    );
  });
});
