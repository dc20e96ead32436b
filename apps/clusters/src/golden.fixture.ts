import { readFile, writeFile } from 'node:fs/promises';
import { expect } from '@jest/globals';

/** Compares with the file at this address, which is written anew when it is deleted. */
export async function expectGolden(file: URL, text: string): Promise<void> {
  const golden = await readFile(file, 'utf8').catch(() => undefined);
  if (golden === undefined) await writeFile(file, text);
  expect(text).toBe(golden);
}
