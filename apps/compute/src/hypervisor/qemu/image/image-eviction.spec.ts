import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { restoreHidden, evictUnused, touchImage, useFile } from './image-eviction.js';

/** Above every process id of Linux. */
const DEAD = 4_194_305;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-image-eviction-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Last used long ago: a file system's clock may be a fraction of a millisecond ahead of ours. */
async function image(name: string): Promise<void> {
  await mkdir(join(folder, name));
  for (const file of ['data', 'image.json']) await writeFile(join(folder, name, file), name);
  await utimes(useFile(folder, name), 0, 0);
}

it('restores an image that came into use while it was hidden', async () => {
  await image('busy');
  let calls = 0;
  const used = (): Promise<Set<string>> =>
    Promise.resolve(new Set((calls += 1) === 1 ? [] : ['busy']));
  expect(await evictUnused(folder, 0, used)).toEqual([]);
  expect(calls).toBe(2);
  expect(await readdir(folder)).toEqual(['busy']);
});

it('keeps the copy that was downloaded while the image was hidden', async () => {
  await image('again');
  let calls = 0;
  const used = async (): Promise<Set<string>> => {
    if ((calls += 1) === 2) await image('again');
    return new Set(calls === 1 ? [] : ['again']);
  };
  expect(await evictUnused(folder, 0, used)).toEqual([]);
  expect(await readdir(folder)).toEqual(['again']);
});

it('takes the last use from whoever used the image, and from its guests', async () => {
  await image('old');
  await image('used');
  const used = (): Promise<Set<string>> => Promise.resolve(new Set(['used']));
  expect(await touchImage(folder, 'old')).toBe(true);
  expect(await evictUnused(folder, 60_000, used)).toEqual([]);
  expect(await touchImage(folder, 'missing')).toBe(false);
  expect(await evictUnused(folder, 0, used)).toEqual(['old']);
  expect(await readdir(folder)).toEqual(['used']);
});

it('restores what a process hid before it died', async () => {
  await image(`.evicted-${DEAD}-left`);
  await image(`.evicted-${process.pid}-mine`);
  await restoreHidden(folder);
  expect((await readdir(folder)).sort()).toEqual([`.evicted-${process.pid}-mine`, 'left']);
});
