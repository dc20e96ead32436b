/** The service, started while the store's folder is not mounted. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceApp } from '@cumulet/common/app/service-app';
import { TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
import { FileStore } from '@cumulet/storage/stores/file-store';
import { StoreUnmarkedError } from '@cumulet/storage/stores/store.errors';
import { TestImages, testConfig } from '../images.fixture.js';
import { imagesService } from '../service.js';
import { IMAGE_STORE } from './image-store.js';

let folder: string;
let mountPoint: string;
let images: TestImages<FileStore>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-store-'));
  mountPoint = await mkdtemp(join(tmpdir(), 'cumulet-mount-point-'));
  images = await TestImages.on(new FileStore(folder, 'image'));
});
afterAll(async () => {
  await images.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(mountPoint, { recursive: true, force: true });
});

async function start(path: string): Promise<void> {
  const app = new ServiceApp(imagesService, testConfig(images.database.url), {
    overrides: [
      { provide: TOKEN_AUTHORITY, useValue: images.tokens },
      { provide: IMAGE_STORE, useValue: new FileStore(path, 'image') },
    ],
  });
  try {
    await app.start();
  } finally {
    await app.stop();
  }
}

it('does not start while there are images, and leaves the folder unchanged', async () => {
  await images.createActive('precious');
  await expect(start(mountPoint)).rejects.toThrow(StoreUnmarkedError);
  expect(await readdir(mountPoint)).toEqual([]);
  await expect(start(folder)).resolves.toBeUndefined();
});
