/** Parting a group of v2, in a folder with the files that it would have. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findCgroups, divideV2 } from './find-cgroups.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-cgroup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a group that was delegated with its controllers enables them below', async () => {
  await writeFile(join(folder, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
  const folders = { cpu: folder, memory: folder };
  expect(await divideV2(folder, true)).toEqual({ version: 2, folders });
  expect(await readFile(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu +memory');
  expect((await readdir(folder)).sort()).toEqual(['cgroup.controllers', 'cgroup.subtree_control']);
});

it('a group without memory is of no use', async () => {
  await writeFile(join(folder, 'cgroup.controllers'), 'cpu pids\n');
  expect(await divideV2(folder, true)).toBe('its cgroup v2 is without the controllers memory');
});

it('a missing group of the settings is not replaced by another', async () => {
  const { cgroups, described } = await findCgroups('/no-such-group');
  expect(cgroups).toBeUndefined();
  expect(described).toMatch(/not held to their memory and processors, since /);
});
