import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogFile } from './log-file.js';
import { StartupError } from './startup-error.js';

describe('the log file', () => {
  let folder: string;
  let complaints: string[];

  const open = (path: string): Promise<LogFile> =>
    LogFile.open(path, (line) => complaints.push(line));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
    complaints = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps lines in order, after those of earlier runs', async () => {
    const path = join(folder, 'log', 'cumulet.log');
    for (const run of [0, 1]) {
      const log = await open(path);
      for (let line = 0; line < 100; line += 1) log.write(`${run} ${line}\n`);
      await log.close();
    }
    const expected = Array.from({ length: 200 }, (_, i) => `${Math.floor(i / 100)} ${i % 100}\n`);
    expect(await readFile(path, 'utf8')).toBe(expected.join(''));
    expect(complaints).toEqual([]);
  });

  it('loses lines on a full disk, and reports that once', async () => {
    const log = await open('/dev/full');
    for (let line = 0; line < 3; line += 1) log.write('lost\n');
    await log.close();
    expect(complaints).toEqual([
      'The log /dev/full cannot be written (ENOSPC: no space left on device, write): lines are lost until it can',
    ]);
  });

  it('drops lines that arrive too fast', async () => {
    const path = join(folder, 'cumulet.log');
    const log = await open(path);
    for (let line = 0; line < 20_000; line += 1) log.write('.\n');
    await log.close();
    expect((await readFile(path, 'utf8')).length).toBeLessThan(40_000);
    expect(complaints).toEqual([expect.stringContaining('the disk is too slow')]);
  });

  it('drops lines after it is closed', async () => {
    const path = join(folder, 'cumulet.log');
    const log = await open(path);
    await log.close();
    log.write('late\n');
    expect(await readFile(path, 'utf8')).toBe('');
    expect(complaints).toEqual([]);
  });

  it('fails the start with one line if it cannot be opened', async () => {
    await writeFile(join(folder, 'log'), '');
    const path = join(folder, 'log', 'cumulet.log');
    await expect(open(path)).rejects.toThrow(StartupError);
    await expect(open(path)).rejects.toThrow(`The log ${path} cannot be opened: `);
  });
});
