/** A process of the service that is started where the folder of the store is not mounted. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createImagesApp } from '../app.js';
import { TestImages, testConfig } from '../images.fixture.js';
import { StoreUnmarkedError } from '../images/image.errors.js';
import { FileStore } from './file-store.js';

let folder: string;
let mountPoint: string;
let images: TestImages<FileStore>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-store-'));
  mountPoint = await mkdtemp(join(tmpdir(), 'cumulet-mount-point-'));
  images = await TestImages.on(new FileStore(folder));
});
afterAll(async () => {
  await images.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(mountPoint, { recursive: true, force: true });
});

async function start(path: string): Promise<void> {
  const app = createImagesApp(testConfig(images.database.url), {
    authority: images.tokens,
    store: new FileStore(path),
  });
  try {
    await app.start();
  } finally {
    await app.stop();
  }
}

it('does not start while there are images, and leaves the folder as it is', async () => {
  await images.createActive('precious');
  await expect(start(mountPoint)).rejects.toThrow(StoreUnmarkedError);
  expect(await readdir(mountPoint)).toEqual([]);
  await expect(start(folder)).resolves.toBeUndefined();
});
