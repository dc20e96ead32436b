import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { forgedCode } from './forged-code.mjs';
import { LANGUAGES } from './languages.mjs';
import { ROOT } from './programs.mjs';

const TWO_LANGUAGES = [
  { brands: ['match'], modules: ['src/match.ts', 'src/match/'] },
  { brands: ['shell'], modules: ['src/shell.ts'] },
];

const GIVEN = `
import type { Code } from '../code.js';
export type Match = Code<'match'>;
export type Either = Code<'match' | 'shell'>;
export interface Row { readonly match: Match; readonly name: string }
export declare const text: string;
export declare const match: Match;
export function asserted<T>(value: unknown): T { return value as T; }
export function same<T>(value: T): T { return value; }
`;
const IMPORTS =
  "import { asserted, match, same, text, type Either, type Match, type Row } from '../given.js';";

const FORGED = [
  'const it = text as Match;',
  'const it = <Match>text;',
  'const it = text as unknown as Match;',
  'const it = text as Match | undefined;',
  'const it = [text] as Match[];',
  'const it = { match: text, name: text } as Row;',
  'const it = { match: text } as Partial<Row>;',
  'const it = new Map([[text, text]]) as Map<string, Match>;',
  'const it = Promise.resolve({ row: { match: text } }) as Promise<{ row: Row }>;',
  'const it = asserted<Match>(text);',
  'const it: Match = asserted(text);',
  'function isMatch(value: string): value is Match { return value !== text; }',
  'function assertMatch(value: string): asserts value is Match {}',
];
const FORGED_TWICE = 'const it = text as Either;';
const TAKEN_OVER = [
  'const it = match as Match | undefined;',
  'const it = { match, name: text } as Row;',
  'const it = Object.assign({ name: text }, { match } as Pick<Row, "match">) as Row;',
  'const it = same(match);',
  'const it: Row = { match, name: text };',
  'const it = match satisfies Match;',
  'const it = match as string;',
  "const it = ['a'] as const;",
  'const it = new Map<string, Match>();',
];
const LINES = [...FORGED, FORGED_TWICE, ...TAKEN_OVER];

const FILES = ['src/other/any.ts', 'src/match.ts', 'src/match/of-ports.ts', 'src/shell.ts'];
const OPTIONS = { strict: true, target: 'ES2022', module: 'NodeNext', noEmit: true, types: [] };

let folder;
let found;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }));
  write('code.ts', readFileSync(join(ROOT, 'packages/common/src/languages/code.ts'), 'utf8'));
  write('src/given.ts', GIVEN);
  for (const name of FILES) {
    const given = name.split('/').length === 3 ? '../given.js' : './given.js';
    const lines = LINES.map((one) => `{ ${one} }`);
    write(name, [IMPORTS.replace('../given.js', given), ...lines].join('\n'));
  }
  found = forgedCode(join(folder, 'tsconfig.json'), TWO_LANGUAGES);
});
afterAll(() => rmSync(folder, { recursive: true }));

const [OTHER, MATCH, OF_PORTS, SHELL] = FILES;

/** The languages that a line forges in a file. */
function forgedBy(line, name) {
  const place = `${name}:${LINES.indexOf(line) + 2}: `;
  return found
    .filter((one) => one.startsWith(place))
    .map((one) => one.slice(place.length).replace(/^only the modules of (.*) make its code$/, '$1'))
    .sort();
}

describe('code of a language is made by its modules alone', () => {
  it.each(FORGED)('%s', (line) => {
    expect(forgedBy(line, OTHER)).toEqual(['match']);
    expect(forgedBy(line, SHELL)).toEqual(['match']);
    expect(forgedBy(line, MATCH)).toEqual([]);
    expect(forgedBy(line, OF_PORTS)).toEqual([]);
  });

  it('also where one type is of two languages', () => {
    expect(forgedBy(FORGED_TWICE, OTHER)).toEqual(['match', 'shell']);
    expect(forgedBy(FORGED_TWICE, MATCH)).toEqual(['shell']);
  });

  it.each(TAKEN_OVER)('and may be taken over by any: %s', (line) => {
    expect(forgedBy(line, OTHER)).toEqual([]);
  });
});

it('no code is forged in our own sources', () => {
  expect(forgedCode(join(ROOT, 'tsconfig.json'), LANGUAGES)).toEqual([]);
});
