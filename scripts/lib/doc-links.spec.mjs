import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anchorsOf, brokenLinks, linksOf } from './doc-links.mjs';
import { ROOT } from './programs.mjs';

/** Put together, so that the check itself does not take these for pages of ours. */
const DOCS = 'docs';

describe('brokenLinks', () => {
  let folder;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'links-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  it('names links to pages and headings that do not exist', () => {
    write(`${DOCS}/a.md`, '# A\n[here](#a) [b](b.md#two) [gone](c.md) [none](b.md#three)');
    write(`${DOCS}/b.md`, '# B\n## Two\n[none](#three)');
    expect(brokenLinks(folder)).toEqual([
      `${DOCS}/a.md: c.md`,
      `${DOCS}/a.md: b.md#three`,
      `${DOCS}/b.md: #three`,
    ]);
  });

  it('names pages of comments that exist neither at the root nor in the workspace', () => {
    write(`${DOCS}/a.md`, '# A');
    write(`apps/s3/${DOCS}/b.md`, '# B');
    write(
      'apps/s3/src/a.ts',
      `// ${DOCS}/a.md, ${DOCS}/b.md#b, apps/s3/${DOCS}/b.md, ${DOCS}/c.md, ${DOCS}/a.md#b`,
    );
    expect(brokenLinks(folder)).toEqual([
      `apps/s3/src/a.ts: ${DOCS}/c.md`,
      `apps/s3/src/a.ts: ${DOCS}/a.md#b`,
    ]);
  });

  it('finds none in this repository', () => {
    expect(brokenLinks(ROOT)).toEqual([]);
  });
});

describe('linksOf', () => {
  it('leaves out addresses and code', () => {
    const fence = ['```', '[a](code.md)', '```'].join('\n');
    expect(linksOf(`[a](a.md) [b](https://b.example) \`[c](c.md)\`\n${fence}`)).toEqual(['a.md']);
  });
});

describe('anchorsOf', () => {
  it('are those of GitHub', () => {
    const text = '# Ctrl-C, and `after`\n## Same\n## Same\n### [Linked](a.md) x';
    expect([...anchorsOf(text)]).toEqual(['ctrl-c-and-after', 'same', 'same-1', 'linked-x']);
  });
});
