import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { folderCycles, importCycles } from './import-cycles.mjs';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cycles-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name, text) => writeFileSync(join(folder, name), text);

describe('importCycles', () => {
  it('finds a circle that types alone close, through other folders too', () => {
    mkdirSync(join(folder, 'below'));
    write('a.ts', "import { b } from './below/b.js';\nexport interface A {}");
    write('below/b.ts', "import type { C } from '../c.js';\nexport const b = 1;");
    write('c.ts', "export type { A } from './a.js';");
    write('d.ts', "import './a.js';");
    expect(importCycles(folder)).toEqual([
      [join(folder, 'a.ts'), join(folder, 'below/b.ts'), join(folder, 'c.ts')],
    ]);
  });

  it('finds none where imports lead one way', () => {
    write('a.ts', "import { b } from './b.js';\nimport { c } from './c.js';");
    write('b.ts', "import { c } from './c.js';");
    write('c.ts', 'export const c = 1;');
    expect(importCycles(folder)).toEqual([]);
  });
});

describe('folderCycles', () => {
  beforeEach(() => ['lower', 'upper'].forEach((name) => mkdirSync(join(folder, name))));

  it('finds folders that import each other, though no file does', () => {
    write('lower/a.ts', "import type { B } from '../upper/b.js';");
    write('upper/b.ts', 'export interface B {}');
    write('upper/c.ts', "import '../lower/a.js';");
    expect(folderCycles(folder)).toEqual([['lower', 'upper']]);
  });

  it('lets specs and fixtures import from any floor', () => {
    write('lower/a.spec.ts', "import type { B } from '../upper/b.js';");
    write('lower/a.fixture.ts', "import type { B } from '../upper/b.js';");
    write('lower/a.ts', 'export const a = 1;');
    write('upper/b.ts', "import '../lower/a.js';");
    expect(folderCycles(folder)).toEqual([]);
  });
});

const root = resolve(import.meta.dirname, '../..');
const workspaces = ['apps', 'packages'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => `${group}/${name}/src`),
);

it.each(workspaces)('%s has no circle of imports', (sources) => {
  expect(importCycles(join(root, sources))).toEqual([]);
});

it.each(workspaces)('%s has floors: its folders import downwards only', (sources) => {
  expect(folderCycles(join(root, sources))).toEqual([]);
});
