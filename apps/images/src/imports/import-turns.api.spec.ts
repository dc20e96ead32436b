/** Imports of several projects over HTTP, with endless downloads. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from '../images.fixture.js';
import { DIRECT, download, imported, importInto, stage } from './imports.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

const DATA = Buffer.from('a raw disk');

let web: WebServer;
let images: TestImages;
const hanging: string[] = [];

beforeAll(async () => {
  web = await WebServer.start((request, response) => {
    if (request.url === '/slow') response.writeHead(200, { 'content-length': 100 }).write('a');
    else response.end(DATA);
  });
  images = await TestImages.start({
    webDownloadAllowPrivate: true,
    webDownloadPorts: [web.port],
    webDownloadConcurrency: 4,
    importConcurrency: 1,
    importsPerProject: 2,
  });
});
afterEach(async () => {
  for (const id of hanging.splice(0)) {
    await images.client.delete(`/v2/images/${id}`, { token: images.admin });
  }
});
afterAll(async () => {
  await images.stop();
  await web.stop();
});

async function hangs(token: string): Promise<string> {
  const { id } = await images.create({}, token);
  hanging.push(id);
  expect((await importInto(images, id, download(web.url('/slow')), token)).status).toBe(202);
  return id;
}

async function taskStatus(id: string): Promise<unknown> {
  const { body } = await images.client.get(`/v2/images/${id}/tasks`, { token: images.admin });
  return (body as { tasks: { status: string }[] }).tasks[0]?.status;
}

async function isAtWork(id: string): Promise<void> {
  await eventually(`image ${id} is downloaded`, async () => {
    return (await taskStatus(id)) === 'processing';
  });
}

describe('endless downloads', () => {
  it('leave room for other projects, and delay the next of their own', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await hangs(images.stranger));
    for (const id of ids.slice(0, 2)) await isAtWork(id);
    const { id } = await images.create();
    await importInto(images, id, download(web.url('/')));
    expect(await imported(images, id)).toMatchObject({ status: 'active' });
    for (const one of ids.slice(2)) {
      expect(await images.show(one)).toMatchObject({ status: 'importing' });
      expect(await taskStatus(one)).toBe('pending');
    }
    await images.client.delete(`/v2/images/${ids[0] ?? ''}`, { token: images.admin });
    await isAtWork(ids[2] ?? '');
  });

  it('do not delay imports of staged data, even if they occupy every slot', async () => {
    const others = [images.stranger, images.admin];
    for (const token of [...others, ...others]) await isAtWork(await hangs(token));
    const { id } = await images.create();
    expect((await stage(images, id, DATA)).status).toBe(204);
    await importInto(images, id, DIRECT);
    expect(await imported(images, id)).toMatchObject({ status: 'active' });
  });
});
