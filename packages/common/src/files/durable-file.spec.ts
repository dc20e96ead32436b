import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDurably, writeDurably } from './durable-file.js';

describe('durable files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-durable-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are written completely, and leave no temporary file', async () => {
    await writeDurably(join(folder, 'a'), 'one');
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('one');
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('are readable by their user only', async () => {
    await writeDurably(join(folder, 'a'), 'one');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o600);
  });

  it('replace what was there', async () => {
    await writeDurably(join(folder, 'a'), 'one');
    await writeDurably(join(folder, 'a'), 'two');
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('two');
  });

  it('are created once: a second attempt changes nothing', async () => {
    await createDurably(join(folder, 'a'), 'one');
    await expect(createDurably(join(folder, 'a'), 'two')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('one');
    expect(await readdir(folder)).toEqual(['a']);
  });
});
