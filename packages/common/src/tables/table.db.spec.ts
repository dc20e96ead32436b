import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, Entity, PrimaryColumn, type DataSource, type QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { RequestContext } from '../context/request-context.js';
import { createDataSource } from '../database/data-source.js';
import { inTransaction } from '../database/transaction.js';
import { DomainError } from '../errors/domain-error.js';
import { newRequestId } from '../context/request-id.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { compares, equals, holds, oneOf, textMatches } from './condition.js';
import { FilteredBy, SortedBy } from './listing.js';
import { pageOfQuery } from './page.js';
import { Table } from './table.js';

@Entity('gadgets')
class Gadget {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'gadgets_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'parent_id', nullable: true })
  parentId: string | null;

  @Column('integer', { nullable: true })
  size: number | null;

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('jsonb', { default: {} })
  extra: unknown;

  @Column('text', { default: 'plain' })
  finish: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'clock_timestamp()' })
  updatedAt: Date;
}

class CreateGadgets1 {
  readonly name = 'CreateGadgets1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gadgets (
        id text CONSTRAINT gadgets_pkey PRIMARY KEY,
        name text NOT NULL CONSTRAINT gadgets_name_key UNIQUE,
        parent_id text CONSTRAINT gadgets_parent_id_fkey REFERENCES gadgets,
        size integer CONSTRAINT gadgets_size_check CHECK (size >= 0),
        tags text[] NOT NULL DEFAULT '{}',
        extra jsonb NOT NULL DEFAULT '{}',
        finish text NOT NULL DEFAULT 'plain',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gadgets');
  }
}

class TestError extends DomainError {
  constructor(message: string) {
    super('conflict', message);
  }
}

const gadgets = new Table(Gadget, {
  missing: (key) => new TestError(`no gadget ${JSON.stringify(key)}`),
  missingMarker: (key) => new TestError(`no marker ${JSON.stringify(key)}`),
  touched: 'updatedAt',
  refusals: {
    gadgets_name_key: ({ name }) => new TestError(`name ${name ?? ''} is taken`),
    gadgets_parent_id_fkey: ({ id, parentId }) =>
      new TestError(parentId ? `no parent ${parentId}` : `${id ?? ''} has children`),
    gadgets_size_check: ({ size }) => new TestError(`size ${String(size)} is too small`),
  },
});

@SortedBy(['-createdAt'], {
  name: 'name',
  size: 'size',
  created_at: 'createdAt',
  finish: { sql: `upper(finish)` },
})
class ListQuery {
  @FilteredBy()
  name?: string;

  @FilteredBy((text: string) => oneOf('finish', text.split(',')))
  finish?: string;

  sort_key?: string | string[];
  sort_dir?: string | string[];
  limit?: number;
  marker?: string;
  page_reverse?: boolean;
}

const asked = (query: Partial<ListQuery>): ListQuery => Object.assign(new ListQuery(), query);

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

const createOn = (url: string): DataSource =>
  createDataSource({
    url,
    poolSize: 3,
    applicationName: 'gadgets',
    entities: [Gadget],
    migrations: [CreateGadgets1],
  });

beforeAll(async () => {
  database = await createTestDatabase({ name: 'gadgets', dataSource: createOn });
  dataSource = createOn(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system(newRequestId(), dataSource.manager);
});
afterAll(async () => {
  await closeJobPool(dataSource);
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => dataSource.query('DELETE FROM gadgets'));

const ids = (rows: readonly Gadget[]): string => rows.map(({ id }) => id).join('');
const list = async (query: Partial<ListQuery>): Promise<string> =>
  ids((await gadgets.list(ctx, pageOfQuery(asked(query)))).rows);

describe('a row', () => {
  it('is inserted with defaults, and returned as a whole', async () => {
    const row = await gadgets.insert(ctx, { id: 'a', name: 'one', tags: ['x'], extra: ['y'] });
    expect(row).toEqual({
      id: 'a',
      name: 'one',
      parentId: null,
      size: null,
      tags: ['x'],
      extra: ['y'],
      finish: 'plain',
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await gadgets.get(ctx, 'a')).toEqual(row);
    expect(await gadgets.find(ctx, { name: 'one', parentId: null })).toEqual(row);
  });

  it('changes the named properties and the time of the change', async () => {
    const updatedAt = new Date(Date.now() - 1_000);
    const before = await gadgets.insert(ctx, { id: 'a', name: 'one', size: 1, updatedAt });
    const after = await gadgets.update(ctx, 'a', { size: null, extra: { b: 2 } });
    expect(after).toMatchObject({ name: 'one', size: null, extra: { b: 2 } });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await gadgets.update(ctx, 'a', {})).toEqual(after);
  });

  it.each([
    ['get', () => gadgets.get(ctx, 'none')],
    ['lock', () => gadgets.lock(ctx, 'none')],
    ['update', () => gadgets.update(ctx, 'none', { size: 1 })],
    ['update with nothing', () => gadgets.update(ctx, 'none', {})],
    ['delete', () => gadgets.delete(ctx, 'none')],
  ])('that is not there is told in the words of the table: %s', async (_what, work) => {
    await expect(work()).rejects.toThrow('no gadget "none"');
  });

  it('is not found out of scope', async () => {
    await gadgets.insert(ctx, { id: 'a', name: 'one' });
    expect(await gadgets.find(ctx, 'a', [equals('name', 'two')])).toBeUndefined();
  });

  it('is locked until the transaction ends', async () => {
    await gadgets.insert(ctx, { id: 'a', name: 'one' });
    let other: Promise<unknown> | undefined;
    await inTransaction(ctx, async (tx) => {
      await gadgets.lock(tx, 'a');
      other = gadgets.update(ctx, 'a', { name: 'other' });
      await gadgets.update(tx, 'a', { name: 'first' });
    });
    await other;
    expect((await gadgets.get(ctx, 'a')).name).toBe('other');
  });
});

describe('a refusal by Postgres', () => {
  beforeEach(() => gadgets.insert(ctx, { id: 'a', name: 'one' }));

  it.each([
    ['a name', { id: 'b', name: 'one' }, 'name one is taken'],
    ['a parent', { id: 'b', name: 'two', parentId: 'x' }, 'no parent x'],
    ['a size', { id: 'b', name: 'two', size: -1 }, 'size -1 is too small'],
  ])('is told in the words of the constraint: %s', async (_what, row, message) => {
    await expect(gadgets.insert(ctx, row)).rejects.toThrow(message);
  });

  it('is translated for updates and deletions too', async () => {
    await gadgets.insert(ctx, { id: 'b', name: 'two', parentId: 'a' });
    await expect(gadgets.update(ctx, 'b', { name: 'one' })).rejects.toThrow('name one is taken');
    await expect(gadgets.delete(ctx, 'a')).rejects.toThrow('a has children');
  });

  it('is unchanged without a translation', async () => {
    await expect(gadgets.insert(ctx, { id: 'a', name: 'two' })).rejects.toMatchObject({
      constraint: 'gadgets_pkey',
    });
  });

  it('may be skipped among many', async () => {
    const rows = [
      { id: 'b', name: 'one' },
      { id: 'c', name: 'three' },
    ];
    expect(ids(await gadgets.insertAll(ctx, rows, { exceptTaken: true }))).toBe('c');
    await expect(gadgets.insertAll(ctx, rows)).rejects.toThrow('is taken');
    expect(await gadgets.insertAll(ctx, [])).toEqual([]);
  });
});

describe('a list', () => {
  beforeEach(async () => {
    const sizes = [3, null, 1, 3, 2];
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      const size = sizes[at] ?? null;
      await gadgets.insert(ctx, { id, name: `n${id}`, size, finish: at % 2 ? 'Matt' : 'gloss' });
    }
  });

  it('has the order of its class by default', async () => {
    expect(await list({})).toBe('edcba');
    expect(await list({ sort_dir: 'asc' })).toBe('abcde');
    expect(await list({ sort_key: 'name' })).toBe('edcba');
    expect(await list({ sort_key: 'name', sort_dir: 'asc' })).toBe('abcde');
    expect(await list({ sort_key: ['size', 'name'], sort_dir: ['asc', 'desc'] })).toBe('bceda');
    expect(await list({ sort_key: 'finish', sort_dir: 'asc' })).toBe('acebd');
  });

  it('refuses an unknown sort key', async () => {
    await expect(list({ sort_key: 'colour' })).rejects.toThrow(
      "sort_key 'colour' is not one of name, size, created_at, finish.",
    );
    await expect(list({ sort_key: 'constructor' })).rejects.toThrow("'constructor' is not one of");
  });

  it.each([
    {},
    { sort_key: 'size', sort_dir: 'asc' },
    { sort_key: ['size', 'name'], sort_dir: ['desc', 'asc'] },
    { sort_key: 'finish', sort_dir: 'desc' },
  ])('goes page by page and back, and loses nothing: %j', async (order) => {
    const whole = await list(order);
    let there = '';
    for (let page = await list({ ...order, limit: 2 }); page;) {
      there += page;
      page = await list({ ...order, limit: 2, marker: there.at(-1) ?? '' });
    }
    expect(there).toBe(whole);
    const back = await list({ ...order, limit: 3, marker: whole.charAt(4), page_reverse: true });
    expect(back).toBe(whole.slice(1, 4));
  });

  it('pages by times within one millisecond', async () => {
    await dataSource.query(
      `UPDATE gadgets SET created_at = '2026-01-01T00:00:00.000001Z'::timestamptz
          + (ascii(id) - 97) * interval '1 microsecond'`,
    );
    expect(await list({ limit: 2, marker: 'd' })).toBe('cb');
  });

  it('neither skips nor repeats rows after a removal', async () => {
    const first = await list({ limit: 2 });
    await gadgets.delete(ctx, first.charAt(0));
    expect(await list({ limit: 2, marker: first.charAt(1) })).toBe('cb');
  });

  it('may begin at an offset, and counts all rows', async () => {
    const sort = [{ by: 'name', descending: false }];
    const at = async (offset: number, limit?: number): Promise<[string, boolean]> => {
      const { rows, more } = await gadgets.list(ctx, { sort, limit, offset });
      return [rows.map(({ id }) => id).join(''), more];
    };
    expect(await at(0, 2)).toEqual(['ab', true]);
    expect(await at(3, 2)).toEqual(['de', false]);
    expect(await at(3)).toEqual(['de', false]);
    expect(await at(9, 2)).toEqual(['', false]);
    expect(await gadgets.countOf(ctx, [])).toBe(5);
    expect(await gadgets.countOf(ctx, [equals('finish', 'Matt')])).toBe(2);
  });

  it('is known to have rows or none', async () => {
    expect(await gadgets.has(ctx, [equals('finish', 'Matt')])).toBe(true);
    expect(await gadgets.has(ctx, [equals('finish', 'gold')])).toBe(false);
  });

  it('says whether there is more', async () => {
    const page = (limit: number) => gadgets.list(ctx, pageOfQuery(asked({ limit })));
    expect((await page(4)).more).toBe(true);
    expect((await page(5)).more).toBe(false);
    expect(await page(0)).toEqual({ rows: [], more: false });
    const capped = pageOfQuery<Gadget>(asked({ limit: 9 }), 3);
    expect(capped.limit).toBe(3);
    expect(pageOfQuery<Gadget>(asked({}), 3).limit).toBe(3);
  });

  it('refuses a marker that is missing or out of scope', async () => {
    const page = { ...pageOfQuery<Gadget>(asked({ marker: 'a' })), scope: [equals('name', 'nb')] };
    await expect(gadgets.list(ctx, page)).rejects.toThrow('no marker "a"');
    const after = { ...page, marker: 'c', markerScope: [equals('name', 'nc')] };
    expect(ids((await gadgets.list(ctx, after)).rows)).toBe('b');
    const other = { ...page, scope: [], markerScope: page.scope };
    await expect(gadgets.list(ctx, other)).rejects.toThrow('no marker "a"');
    await expect(list({ marker: 'z' })).rejects.toThrow('no marker "z"');
    await expect(list({ marker: 'z', limit: 0 })).rejects.toThrow('no marker "z"');
  });

  it('is filtered as its class declares', async () => {
    expect(await list({ name: 'nc' })).toBe('c');
    expect(await list({ finish: 'Matt,none' })).toBe('db');
    expect(await list({ finish: 'Matt', name: 'na' })).toBe('');
  });

  it.each([
    ['an equal value', equals('size', 3), 'ad'],
    ['nothing', equals('size', null), 'b'],
    ['one of several', oneOf('id', ['a', 'e', 'x']), 'ae'],
    ['a part of a text', textMatches('name', 'icontains', 'NA'), 'a'],
    ['the start of a text', textMatches('name', 'startswith', 'n'), 'abcde'],
    ['an equal expression', oneOf({ sql: 'size + 1' }, [3]), 'e'],
    ['a range', compares('size', 'gte', 2), 'ade'],
    ['no other value', compares('size', 'neq', 3), 'ce'],
  ])('finds %s', async (_what, condition, found) => {
    expect(ids(await gadgets.select(ctx, [condition], 'ORDER BY id'))).toBe(found);
  });

  it('treats search terms literally', async () => {
    await gadgets.update(ctx, 'a', { name: String.raw`50%_\ off` });
    const find = async (part: string): Promise<string> =>
      ids(await gadgets.select(ctx, [textMatches('name', 'contains', part)]));
    expect(await find(String.raw`%_\ `)).toBe('a');
    expect(await find('5%f')).toBe('');
  });

  it('finds rows with all of the tags', async () => {
    await gadgets.update(ctx, 'a', { tags: ['x', 'y'] });
    await gadgets.update(ctx, 'b', { tags: ['x'] });
    expect(ids(await gadgets.select(ctx, [holds('tags', ['x', 'y'])]))).toBe('a');
  });

  it('is read once for concurrent equal requests', async () => {
    const read = (query: Partial<ListQuery>): Promise<Gadget | undefined> =>
      gadgets.list(ctx, pageOfQuery(asked(query))).then(({ rows }) => rows[0]);
    const [first, second, third, other] = await Promise.all(
      [{}, {}, {}, { limit: 1 }].map((query) => read(query)),
    );
    expect(third).toBe(second);
    expect(second).not.toBe(first);
    expect(other).not.toBe(first);
    expect(other).not.toBe(second);
    expect([first, other]).toEqual([second, second]);
  });

  it('of a transaction sees its writes, and other lists do not', async () => {
    await inTransaction(ctx, async (tx) => {
      await gadgets.insert(tx, { id: 'z', name: 'new' });
      const [before, own, others] = await Promise.all(
        [ctx, tx, ctx].map((one) => gadgets.list(one, pageOfQuery(asked({ name: 'new' })))),
      );
      expect([before, own, others].map((page) => ids(page?.rows ?? []))).toEqual(['', 'z', '']);
    });
  });

  it('refuses a property that the row does not have', () => {
    expect(() => gadgets.select(ctx, [equals('colour; DROP TABLE gadgets', 1)])).toThrow(
      'Gadget has no property colour',
    );
  });
});
