import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manyOf, storableText } from '@cumulet/testing/hostile-texts';
import { runProgram } from '../programs/run-program.js';
import { plainWord, quotedWord, sh, UnquotableTextError } from './shell.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The standard output of a script. */
async function run(shell: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, 'script');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { exitCode, stdout, stderr } = await runProgram(shell, [file], { timeoutMs: 60_000 });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout.toString();
}

describe.each(['bash', 'sh'])('to %s', (shell) => {
  it('a text is one literal word', async () => {
    const texts = manyOf(storableText);
    const lines = texts.map((text) => sh`printf '%s\0' ${quotedWord(text)}`);
    expect((await run(shell, lines)).split('\0').slice(0, -1)).toEqual(texts);
  });

  it('a plain word is literal everywhere', async () => {
    const words = manyOf(storableText).flatMap((text) => {
      try {
        return [plainWord(text)];
      } catch (error) {
        expect(error).toBeInstanceOf(UnquotableTextError);
        return [];
      }
    });
    expect(words.length).toBeGreaterThan(100);
    const documents = words.map((word) => sh`${word}`);
    const assigned = words.map((word) => sh`x=${word}; printf '%s\n' "$x"`);
    const text = await run(shell, ['cat <<EOF', ...documents, 'EOF', ...assigned]);
    expect(text.split('\n').slice(0, -1)).toEqual([...words, ...words]);
  });
});

it('NUL is refused', () => {
  expect(() => quotedWord('\0')).toThrow(UnquotableTextError);
});
