import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import ts from 'typescript';
import { codeInItsModule, noForgedCode } from './language-rules.mjs';

const LANGUAGES = [
  { brands: ['match'], modules: ['src/match.ts', 'src/match/'], template: /^ip4\.\w+ == \$\{\}/ },
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
export function tagged(words: TemplateStringsArray, ...values: string[]): string { return text; }
export function same<T>(value: T): T { return value; }
`;
const IMPORTS =
  "import { asserted, match, same, tagged, text, type Either, type Match, type Row } from '../given.js';";

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
const PUT_TOGETHER = [
  'const it = `ip4.src == ${text}`;',
  'const it = `ip4.src == ${text} && ip4`;',
  'const it = String.raw`ip4.src == ${text}`;',
  "const it = 'ip4.src == ' + text;",
  "const it = 'ip4' + '.src == ' + text + ' && ip4';",
];
const NOT_ITS_SYNTAX = [
  "const it = 'ip4.src == 10.0.0.1';",
  'const it = `address ${text}`;',
  'const it = tagged`ip4.src == ${text}`;',
  "const it = text + 'ip4.src == ';",
];
const LINES = [...FORGED, FORGED_TWICE, ...TAKEN_OVER, ...PUT_TOGETHER, ...NOT_ITS_SYNTAX];

const CODE = resolve(import.meta.dirname, '../../packages/common/src/languages/code.ts');
const FILES = ['src/other/any.ts', 'src/match.ts', 'src/match/of-ports.ts', 'src/shell.ts'];

let folder;
/** The messages of each line in each file. */
const found = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const source = (name) => {
    const given = name.split('/').length === 3 ? '../given.js' : './given.js';
    return [IMPORTS.replace('../given.js', given), ...LINES.map((one) => `{ ${one} }`)].join('\n');
  };
  write('code.ts', readFileSync(CODE, 'utf8'));
  write('src/given.ts', GIVEN);
  for (const name of FILES) write(name, source(name));
  const options = { strict: true, target: ts.ScriptTarget.ES2022, noEmit: true, types: [] };
  const rootNames = FILES.map((name) => join(folder, name));
  const programs = [ts.createProgram(rootNames, options)];
  for (const name of FILES) found[name] = lint(source(name), name, programs);
});
afterAll(() => rmSync(folder, { recursive: true }));

function lint(text, name, programs) {
  const messages = new Linter({ cwd: folder }).verify(
    text,
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser, parserOptions: { programs } },
      plugins: { cumulet: { rules: { forged: noForgedCode, elsewhere: codeInItsModule } } },
      rules: { 'cumulet/forged': ['error', LANGUAGES], 'cumulet/elsewhere': ['error', LANGUAGES] },
    },
    join(folder, name),
  );
  return (line) =>
    messages
      .filter((one) => one.line === LINES.indexOf(line) + 2)
      .map(({ message }) => message)
      .sort();
}

const [OTHER, MATCH, OF_PORTS, SHELL] = FILES;
const forged = (language) =>
  `Only the modules of ${language} make its code (LANGUAGES in eslint.config.js).`;

describe('code of a language is made by its modules alone', () => {
  it.each(FORGED)('%s', (line) => {
    expect(found[OTHER](line)).toEqual([forged('match')]);
    expect(found[SHELL](line)).toEqual([forged('match')]);
    expect(found[MATCH](line)).toEqual([]);
    expect(found[OF_PORTS](line)).toEqual([]);
  });

  it('also where one type is of two languages', () => {
    expect(found[OTHER](FORGED_TWICE)).toEqual([forged('match'), forged('shell')]);
    expect(found[MATCH](FORGED_TWICE)).toEqual([forged('shell')]);
  });

  it.each(TAKEN_OVER)('and may be taken over by any: %s', (line) => {
    expect(found[OTHER](line)).toEqual([]);
  });
});

describe('code of a language is put together in its modules alone', () => {
  it.each(PUT_TOGETHER)('%s', (line) => {
    const elsewhere =
      'This looks like match, which src/match.ts, src/match/ writes: add to it there.';
    expect(found[OTHER](line)).toEqual([elsewhere]);
    expect(found[SHELL](line)).toEqual([elsewhere]);
    expect(found[MATCH](line)).toEqual([]);
  });

  it.each(NOT_ITS_SYNTAX)('which this does not show: %s', (line) => {
    expect(found[OTHER](line)).toEqual([]);
  });
});
