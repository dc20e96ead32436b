/** Imports over HTTP into a bucket of a real S3 server. */
import { S3Server } from '@cumulet/storage/stores/s3-server.fixture';
import { S3Store } from '@cumulet/storage/stores/s3-store';
import type { S3Location } from '@cumulet/storage/stores/store-settings';
import { createHash, randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from '../images.fixture.js';
import { DIRECT, download, imported, importInto, stage } from './imports.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

/** Larger than one part. */
const DATA = randomBytes(9 * 1024 ** 2 + 7);

/** The first run on a machine installs the server. */
const INSTALL_MS = 180_000;

let server: S3Server;
let location: S3Location;
let web: WebServer;
let answer: Parameters<typeof WebServer.start>[0];
let images: TestImages<S3Store>;

beforeAll(async () => {
  server = await S3Server.start();
  location = await server.newLocation();
  web = await WebServer.start((request, response) => answer(request, response));
  images = await TestImages.on(new S3Store(location, 'image', 1024 ** 4), {
    store: 's3',
    webDownloadAllowPrivate: true,
    webDownloadPorts: [web.port],
  });
}, INSTALL_MS);
afterAll(async () => {
  await images.stop();
  await web.stop();
  await server.stop();
});

/** Objects and unfinished multipart uploads. */
async function inBucket(): Promise<number> {
  const { Uploads = [] } = await server
    .client(location)
    .send(new ListMultipartUploadsCommand({ Bucket: location.bucket }));
  return (await images.objects()).length + Uploads.length;
}

/** Data is removed after the image's state changes. */
const expectNothing = (): Promise<void> =>
  eventually('nothing is left', async () => (await inBucket()) === 0);

async function expectWhole(id: string): Promise<void> {
  expect(await imported(images, id)).toMatchObject({
    status: 'active',
    stores: 's3',
    size: DATA.length,
    virtual_size: DATA.length,
    checksum: createHash('md5').update(DATA).digest('hex'),
    os_hash_value: createHash('sha512').update(DATA).digest('hex'),
  });
  const file = `${images.client.baseUrl}/v2/images/${id}/file`;
  const whole = await fetch(file, { headers: { 'X-Auth-Token': images.member } });
  expect(Buffer.from(await whole.arrayBuffer()).equals(DATA)).toBe(true);
  const part = await fetch(file, {
    headers: { 'X-Auth-Token': images.member, Range: 'bytes=-9' },
  });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, DATA.subarray(-9)]);
}

async function expectNothingAfterDelete(id: string): Promise<void> {
  await eventually('its data alone is left', async () => (await inBucket()) === 1);
  const path = `/v2/images/${id}`;
  expect((await images.client.delete(path, { token: images.member })).status).toBe(204);
  await expectNothing();
}

it('staged data becomes an image, and is removed with it', async () => {
  const { id } = await images.create();
  expect((await stage(images, id, DATA)).status).toBe(204);
  expect((await importInto(images, id, DIRECT)).status).toBe(202);
  await expectWhole(id);
  await expectNothingAfterDelete(id);
});

it('downloaded data becomes an image, and is removed with it', async () => {
  answer = (_, response) => response.end(DATA);
  const { id } = await images.create();
  await importInto(images, id, download(web.url('/noble.img')));
  await expectWhole(id);
  await expectNothingAfterDelete(id);
});

it('a download that breaks off after some parts leaves nothing', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': 2 * DATA.length });
    response.write(DATA, () => response.destroy());
  };
  const { id } = await images.create();
  await importInto(images, id, download(web.url('/noble.img')));
  expect(await imported(images, id)).toMatchObject({
    status: 'queued',
    size: null,
    os_glance_failed_import: 's3',
    os_glance_status_reason: `The download from 127.0.0.1:${web.port} broke off: it closed the connection.`,
  });
  await expectNothing();
});

it('data that does not match the image leaves nothing', async () => {
  answer = (_, response) => response.end(DATA);
  const { id } = await images.create({ disk_format: 'qcow2' });
  await importInto(images, id, download(web.url('/noble.img')));
  expect(await imported(images, id)).toMatchObject({
    status: 'queued',
    os_glance_status_reason: 'The data is raw, but disk_format is qcow2.',
  });
  await expectNothing();
});
