import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { manyOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { likePart, likeWithWildcards } from './postgres-like.js';
import { regularExpression } from './postgres-regex.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});
afterAll(() => widgets.stop());

/** Judges all of the rows in one statement. */
function ask<Row>(sql: string, ...columns: readonly (readonly string[])[]): Promise<Row[]> {
  const given = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  return widgets.ctx.manager.query(sql.replace('GIVEN', `unnest(${given})`), [...columns]);
}

it('a part of a text matches at its place only', async () => {
  const cases = manyOf(fc.tuple(storableText, storableText)).flatMap(([part, text]) => [
    [part, text] as const,
    [part, part + text] as const,
    [part, text + part] as const,
  ]);
  const found = await ask<{ contains: boolean; starts: boolean; ends: boolean }>(
    `SELECT text LIKE a AS contains, text LIKE b AS starts, text LIKE c AS ends
     FROM GIVEN AS given (text, a, b, c)`,
    cases.map(([, text]) => text),
    cases.map(([part]) => likePart('contains', part)),
    cases.map(([part]) => likePart('startswith', part)),
    cases.map(([part]) => likePart('endswith', part)),
  );
  for (const [at, [part, text]] of cases.entries())
    expect({ part, text, ...found[at] }).toEqual({
      part,
      text,
      contains: text.includes(part),
      starts: text.startsWith(part),
      ends: text.endsWith(part),
    });
});

it('only wildcards match other text', async () => {
  const cases = manyOf(fc.tuple(storableText, storableText));
  const found = await ask<{ fits: boolean }>(
    'SELECT text LIKE pattern AS fits FROM GIVEN AS given (text, pattern)',
    cases.map(([, text]) => text),
    cases.map(([pattern]) => likeWithWildcards(pattern)),
  );
  for (const [at, [pattern, text]] of cases.entries())
    expect({ pattern, text, ...found[at] }).toEqual({ pattern, text, fits: fits(pattern, text) });
});

/** By the parts between the wildcards, each as early as it can be. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('%');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = text.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

const PIECES = [
  'a b 0 _ - ] ^ $ . | ( ) [ * + ? { } \\ , : = < > ! # ä 日 😀'.split(' '),
  '(?: (? [^ [:alpha:] [[:digit:]] [a-z] [z-a] \\d \\w \\m \\c[ [. [='.split(' '),
  ['{2}', '{2,', '\\1', '\\x41', '\\u0041', '***=', '(?i)', '(?#', '(?<=', '--', '||', ' ', '\n'],
].flat();
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((all) => all.join(''));

it('accepted expressions are valid in Postgres', async () => {
  const texts = manyOf(fc.oneof(pieces, storableText));
  const taken = texts.flatMap((text) => {
    try {
      return [regularExpression(text)];
    } catch {
      return [];
    }
  });
  // Else the texts would not try anything.
  expect(taken.length).toBeGreaterThan(texts.length / 10);
  expect(taken.length).toBeLessThan(texts.length);
  await widgets.ctx.manager.query(`
    CREATE FUNCTION failure_of(expression text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN PERFORM 'web-1' ~ expression; RETURN NULL;
    EXCEPTION WHEN OTHERS THEN RETURN sqlerrm; END $$`);
  const failures = await ask(
    `SELECT expression, failure FROM GIVEN AS given (expression), failure_of(expression) AS failure
     WHERE failure IS NOT NULL LIMIT 5`,
    taken,
  );
  expect(failures).toEqual([]);
});

it('an escaped character is literal', async () => {
  const texts = manyOf(storableText).map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''));
  const escaped = texts.map((text) =>
    regularExpression(text.slice(0, 100).replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)),
  );
  const wrong = await ask(
    `SELECT text, expression FROM GIVEN AS given (text, expression)
     WHERE substring('<' || text || '>' FROM '(' || expression || ')') IS DISTINCT FROM text`,
    texts.map((text) => text.slice(0, 100)),
    escaped,
  );
  expect(wrong).toEqual([]);
});
