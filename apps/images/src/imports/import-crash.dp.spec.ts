/** Imports into real files by real processes that are killed, and completed by others. */
import { FileStore } from '@cumulet/storage/stores/file-store';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from '../images.fixture.js';
import { playIdentity, startImagesProcess, type ImagesProcess } from '../images-process.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

const DATA = randomBytes(2_000_000);

let web: WebServer;
let answer: Parameters<typeof WebServer.start>[0];
let storeFolder: string;
let images: TestImages<FileStore>;
let identity: WebServer;
let running: ImagesProcess[];

beforeEach(async () => {
  web = await WebServer.start((request, response) => answer(request, response));
  storeFolder = await mkdtemp(join(tmpdir(), 'cumulet-images-'));
  images = await TestImages.on(new FileStore(storeFolder, 'image'), {
    role: 'api',
    webDownloadPorts: [web.port],
    webDownloadAllowPrivate: true,
  });
  identity = await playIdentity(images.tokens);
  running = [];
});
afterEach(async () => {
  for (const one of running) await kill(one);
  await identity.stop();
  await images.stop();
  await web.stop();
  await rm(storeFolder, { recursive: true });
});

async function aWorker(): Promise<ImagesProcess> {
  const worker = await startImagesProcess({
    databaseUrl: images.database.url,
    storeFolder,
    identity,
    settings: {
      CUMULET_ROLE: 'worker',
      IMAGES_WEB_DOWNLOAD_PORTS: String(web.port),
      IMAGES_WEB_DOWNLOAD_ALLOW_PRIVATE: 'true',
    },
  });
  running.push(worker);
  return worker;
}

async function kill(worker: ImagesProcess): Promise<void> {
  worker.signal('SIGKILL');
  await worker.exited;
}

async function files(): Promise<string[]> {
  const all = await readdir(storeFolder, { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile() && one.name !== 'database-id').map(({ name }) => name);
}

describe('an import whose worker is killed in the middle of its download', () => {
  it('is completed by another worker, and leaves nothing half done', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': DATA.length }).write(DATA.subarray(0, 1_000_000));
    };
    const victim = await aWorker();
    const { id } = await images.create();
    await images.client.post(`/v2/images/${id}/import`, {
      token: images.member,
      body: { method: { name: 'web-download', uri: web.url('/') } },
    });
    await eventually('bytes are on the disk', async () => (await files()).length === 1);
    await kill(victim);
    expect((await images.show(id)).status).toBe('importing');

    answer = (_, response) => response.end(DATA);
    await aWorker();
    await eventually('the image is active', async () => {
      return (await images.show(id)).status === 'active';
    });
    expect(await images.show(id)).toMatchObject({ size: DATA.length });
    await eventually('one file is left', async () => (await files()).length === 1);
  });
});
