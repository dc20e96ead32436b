import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './programs.mjs';

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
  "const it = text + ' address';",
];
const SPREAD = 'const it = { ...[1] };';
const LINES = [...PUT_TOGETHER, ...NOT_ITS_SYNTAX, SPREAD];

const MATCH = 'apps/network/src/languages/ovn-match.ts';
const SHELL = 'packages/common/src/languages/shell.ts';
const OTHER = 'any.ts';

const CONFIG = {
  jsPlugins: [join(ROOT, 'scripts/lib/lint-plugin.mjs')],
  categories: { correctness: 'off' },
  rules: {
    'cumulet/code-in-its-module': 'error',
    'cumulet/no-restricted-syntax': [
      'error',
      { selector: 'SpreadElement > ArrayExpression', message: 'Write the members.' },
    ],
  },
};

let folder;
let diagnostics;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('.oxlintrc.json', JSON.stringify(CONFIG));
  for (const name of [MATCH, SHELL, OTHER])
    write(name, LINES.map((line) => `{ ${line} }`).join('\n'));
  diagnostics = await lint();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The linter ends with 1 where it finds something. */
function lint() {
  const program = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  return new Promise((done) => {
    execFile(process.execPath, [program, '--format', 'json'], { cwd: folder }, (_, stdout) => {
      done(JSON.parse(stdout).diagnostics);
    });
  });
}

/** The messages of a line in a file. */
function found(line, name) {
  return diagnostics
    .filter(({ filename, labels: [{ span }] }) => {
      return filename === name && span.line === LINES.indexOf(line) + 1;
    })
    .map(({ message }) => message);
}

describe('code of a language is put together in its modules alone', () => {
  it.each(PUT_TOGETHER)('%s', (line) => {
    const elsewhere = `This looks like ovn-match, which ${MATCH} writes: add to it there.`;
    expect(found(line, OTHER)).toEqual([elsewhere]);
    expect(found(line, SHELL)).toEqual([elsewhere]);
    expect(found(line, MATCH)).toEqual([]);
  });

  it.each(NOT_ITS_SYNTAX)('which this does not show: %s', (line) => {
    expect(found(line, OTHER)).toEqual([]);
  });
});

it('syntax is restricted by selectors', () => {
  expect(found(SPREAD, OTHER)).toEqual(['Write the members.']);
});
