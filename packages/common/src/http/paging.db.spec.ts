import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectRows } from '../database/rows.js';
import { startWidgets, Widget, type Widgets } from '../states/widget.fixture.js';
import { pageClause, type SortKey } from './paging.js';

let widgets: Widgets;
let all: Widget[];

beforeAll(async () => {
  widgets = await startWidgets();
  // Names and sizes occur more than once, so that only the id orders some of them.
  for (let at = 0; at < 14; at += 1)
    await widgets.insert({ name: `w${at % 4}`, size: 1 + (at % 3) });
  all = await widgets.dataSource.manager.find(Widget);
});

afterAll(async () => {
  await widgets.stop();
});

async function page(limit: number, sort: readonly SortKey[], marker?: Widget): Promise<Widget[]> {
  const after = marker && sort.map(({ column }) => marker[column as keyof Widget]);
  const clause = pageClause({ limit, sort, after }, 2);
  return selectRows(
    widgets.dataSource.manager,
    Widget,
    `WHERE project_id = $1 AND ${clause.condition} ${clause.order}`,
    ['project', ...clause.params],
  );
}

async function followed(limit: number, sort: readonly SortKey[]): Promise<Widget[]> {
  const rows: Widget[] = [];
  for (;;) {
    const next = await page(limit, sort, rows.at(-1));
    if (next.length === 0) return rows;
    rows.push(...next);
  }
}

const orders = (['asc', 'desc'] as const).flatMap((first) =>
  (['asc', 'desc'] as const).map((second) => ({ first, second })),
);

describe.each(orders)('pages by size $first, name $second', ({ first, second }) => {
  const sort: SortKey[] = [
    { column: 'size', direction: first },
    { column: 'name', direction: second },
    { column: 'id', direction: 'asc' },
  ];

  it.each([1, 3, 14])('of %i give every row once, in one order', async (limit) => {
    const rows = await followed(limit, sort);
    expect(rows.map(({ id }) => id)).toEqual((await page(100, sort)).map(({ id }) => id));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(all.length);
  });

  it('never skip or repeat a row because another was removed', async () => {
    const [removed] = await page(5, sort);
    const before = await page(5, sort);
    await widgets.dataSource.manager.delete(Widget, { id: removed?.id });
    const after = await page(5, sort, before.at(-1));
    await widgets.dataSource.manager.insert(Widget, removed as Widget);
    expect(after.map(({ id }) => id)).toEqual((await page(10, sort)).slice(5).map(({ id }) => id));
  });
});
