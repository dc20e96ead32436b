/** Lists the files of a program's folder with their hashes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramFile } from '../door/program.js';

/** Links count as the files that they lead to. @throws Error for anything but files and folders */
export async function readProgram(folder: string, below = ''): Promise<ProgramFile[]> {
  const files: ProgramFile[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) files.push(...(await readProgram(folder, path)));
    else files.push(await readFile(folder, path));
  }
  return files;
}

async function readFile(folder: string, path: string): Promise<ProgramFile> {
  const found = await stat(join(folder, path));
  if (!found.isFile()) throw new Error(`${join(folder, path)} must be a file`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path, bytes, sha256: hash.digest('hex') };
}
