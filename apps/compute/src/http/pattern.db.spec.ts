import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWidgets, Widget, type Widgets } from '@cumulet/common/states/widget.fixture';
import { selectRows } from '@cumulet/common/database/rows';
import { bound } from '@cumulet/common/tables/condition';
import { matchesPattern } from './pattern.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
  for (const name of ['web-1', 'web-2', 'db', '50%', 'a{2}', 'aa', '[x]'])
    await widgets.insert({ name });
});
afterAll(() => widgets.stop());

async function matched(pattern: string): Promise<string[]> {
  const { where, params } = bound([matchesPattern('name', pattern)]);
  const rows = await selectRows(widgets.ctx.manager, Widget, `WHERE ${where}`, params);
  return rows.map(({ name }) => name).sort();
}

/** Whether Postgres gets an expression to compile. */
function isExpression(pattern: string): boolean {
  return bound([matchesPattern('name', pattern)]).where.includes(' ~ ');
}

describe('a filter by a regular expression', () => {
  it.each([
    ['web', ['web-1', 'web-2']],
    ['^web-1$', ['web-1']],
    ['^db', ['db']],
    ['-2$', ['web-2']],
    ['50%', ['50%']],
    ['_', []],
  ])('is a comparison for %s', async (pattern, names) => {
    expect(isExpression(pattern)).toBe(false);
    expect(await matched(pattern)).toEqual(names);
  });

  it.each([
    ['^(db|web-.)$', ['db', 'web-1', 'web-2']],
    ['[{1}2]$', ['a{2}', 'web-1', 'web-2']],
    ['a\\{2', ['a{2}']],
    ['a+a?$', ['aa']],
    ['(?:web)-1', ['web-1']],
  ])('matches as Postgres does: %s', async (pattern, names) => {
    expect(isExpression(pattern)).toBe(true);
    expect(await matched(pattern)).toEqual(names);
  });

  it.each([
    ['(a?){255}(a?){255}(a?){255}a{255}', 'counts repetitions'],
    ['[]]{2}', 'counts repetitions'],
    ['(.+)\\1', 'refers back to a group'],
    ['(?=a)b', 'looks around'],
    ['***=a.', 'chooses a syntax'],
    ['(?i)a', 'chooses a syntax'],
    [`(${'a'.repeat(254)})`, 'is longer than 255'],
    ['(?#[)a{200}]', 'has a comment'],
    ['\\c[a{200}]', 'of an unknown kind'],
    ['a)|(b', 'closes a group that is not open'],
    ['(a', 'opens a group that it does not close'],
    ['[b-a]', 'ends before it begins'],
    ['a**', 'repeats nothing'],
  ])('is refused if it could be expensive: %s', (pattern, reason) => {
    expect(() => matchesPattern('name', pattern)).toThrow(reason);
  });
});
