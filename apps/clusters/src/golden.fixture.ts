import { readFile, writeFile } from 'node:fs/promises';
import { expect } from '@jest/globals';

/** Compares with a golden file, which is written if it does not exist. */
export async function expectGolden(file: URL, text: string): Promise<void> {
  const golden = await readFile(file, 'utf8').catch(() => undefined);
  if (golden === undefined) await writeFile(file, text);
  expect(text).toBe(golden);
}
