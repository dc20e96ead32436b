import 'reflect-metadata';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Setting } from '@cumulet/common/config/settings';
import { SERVICES } from '../services.js';
import { drawSecretFiles, readSecretFile, secretFiles } from './secret-files.js';

const files = secretFiles(SERVICES, 'postgres');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

const contents = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, await readSecretFile(folder, name)]),
    ),
  ) as Record<string, string>;

it('every secret that a service cannot run without is drawn, and fits its setting', async () => {
  await drawSecretFiles(folder, files, {});
  const drawn = await contents();
  const settings = SERVICES.flatMap((one) => Object.values<Setting<unknown>>(one.settings));
  const needed = settings.filter(
    ({ secret, isDrawn, defaultText }) => secret && (isDrawn || defaultText === undefined),
  );
  for (const one of needed) expect(() => one.read(drawn[one.env])).not.toThrow();
  expect(Object.keys(drawn)).toEqual(expect.arrayContaining(needed.map(({ env }) => env)));
});

it('a secret is drawn once, or has the first value that somebody has chosen', async () => {
  const chosen = { IDENTITY_ADMIN_PASSWORD: 'chosen', IDENTITY_DEMO_PASSWORD: '' };
  const names = files.map(({ name }) => name);
  expect(await drawSecretFiles(folder, files.slice(1), chosen)).toEqual(names.slice(1));
  const first = await contents();
  expect(first).toMatchObject({ IDENTITY_ADMIN_PASSWORD: 'chosen' });
  expect(first['IDENTITY_DEMO_PASSWORD']).not.toBe('');
  expect(await drawSecretFiles(folder, files, { IDENTITY_ADMIN_PASSWORD: 'other' })).toEqual([
    names[0],
  ]);
  expect(await contents()).toMatchObject(first);
});

it('other users than the one that draws may read them', async () => {
  await drawSecretFiles(folder, files, {});
  for (const { name } of files) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o444);
});
