import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { guestFolder, handOver, makeGuestFolder } from './guest-folder.js';

let guests: string;

beforeEach(async () => {
  guests = await mkdtemp(join(tmpdir(), 'cumulet-guest-folder-'));
});
afterEach(() => rm(guests, { recursive: true }));

it('is handed over as often as the guest is started', async () => {
  const folder = guestFolder(guests, randomUUID());
  await makeGuestFolder(folder);
  for (let time = 0; time < 2; time += 1) await handOver(folder, undefined);
  expect(await readdir(folder.path)).toEqual(['monitor']);
});

it('is not recreated if the guest is removed while another process starts it', async () => {
  const folder = guestFolder(guests, randomUUID());
  await expect(handOver(folder, undefined)).rejects.toThrow('ENOENT');
  expect(await readdir(guests)).toEqual([]);
});
