/** Imports over HTTP, with a web server and an in-memory store. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages } from '../images.fixture.js';
import { DIRECT, download, imported, importInto, stage } from './imports.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

const DATA = Buffer.from('a raw disk');

let images: TestImages;
let web: WebServer;
/** The web server's answer. */
let answer: Parameters<typeof WebServer.start>[0];

beforeAll(async () => {
  web = await WebServer.start((request, response) => answer(request, response));
  images = await TestImages.start({
    webDownloadAllowPrivate: true,
    webDownloadPorts: [80, 443, web.port],
  });
});
afterAll(async () => {
  await images.stop();
  await web.stop();
});
afterEach(() => {
  answer = (_, response) => response.end(DATA);
});
answer = (_, response) => response.end(DATA);

async function staged(fields: object = {}, data: Uint8Array | string = DATA): Promise<string> {
  const { id } = await images.create(fields);
  expect((await stage(images, id, data)).status).toBe(204);
  return id;
}

describe('glance-direct', () => {
  it('activates the image with its staged data, and keeps nothing else', async () => {
    const id = await staged();
    expect(await images.show(id)).toMatchObject({ status: 'uploading', size: DATA.length });
    const response = await importInto(images, id, DIRECT);
    expect([response.status, response.text]).toEqual([202, '']);
    expect(await imported(images, id)).toMatchObject({
      status: 'active',
      size: DATA.length,
      virtual_size: DATA.length,
      checksum: createHash('md5').update(DATA).digest('hex'),
      os_hash_value: createHash('sha512').update(DATA).digest('hex'),
    });
    const file = await images.client.get(`/v2/images/${id}/file`, { token: images.member });
    expect(file.text).toBe(DATA.toString());
    await eventually('one object is left', async () => (await images.objects()).length === 1);
  });

  it('treats an empty uri as absent, as gophercloud sends it', async () => {
    const id = await staged();
    const { status } = await importInto(images, id, { method: { name: 'glance-direct', uri: '' } });
    expect(status).toBe(202);
    expect((await imported(images, id)).status).toBe('active');
  });
});

describe('web-download', () => {
  it('activates the image with downloaded data', async () => {
    const { id } = await images.create();
    expect((await importInto(images, id, download(web.url('/noble.img')))).status).toBe(202);
    expect(await imported(images, id)).toMatchObject({ status: 'active', size: DATA.length });
  });

  it('queues the image again after a failure, with a reason, and can be retried', async () => {
    answer = (_, response) => response.writeHead(404).end('no such image');
    const { id } = await images.create();
    await importInto(images, id, download(web.url('/noble.img?signature=hunter2')));
    const failed = await imported(images, id);
    const reason = `The download from 127.0.0.1:${web.port} failed: the server answered 404.`;
    expect(failed).toMatchObject({
      status: 'queued',
      size: null,
      os_glance_status_reason: reason,
      os_glance_importing_to_stores: '',
      os_glance_failed_import: 'memory',
    });
    expect(await images.objects()).not.toContain(id);
    answer = (_, response) => response.end(DATA);
    await importInto(images, id, download(web.url('/noble.img')));
    const active = await imported(images, id);
    expect(active).toMatchObject({ status: 'active', stores: 'memory' });
    expect(active).not.toHaveProperty('os_glance_status_reason');
    expect(active).not.toHaveProperty('os_glance_failed_import');
  });

  it.each([
    ['without a uri', undefined, 'needs a uri'],
    ['with an empty address', '', 'needs a uri'],
    ['from no address', 'noble.img', 'It is not a valid web address.'],
    ['from a file', 'file:///etc/passwd', `'file' is not`],
    ['from a port that is not allowed', 'http://127.0.0.1:22/', '22 is not'],
    ['with a password', 'http://me:pw@127.0.0.1/', 'neither a user name nor a password'],
  ])('is refused %s', async (_, uri, message) => {
    const { id } = await images.create();
    const response = await importInto(images, id, { method: { name: 'web-download', uri } });
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(message);
    expect(response.text).not.toContain('passwd');
    expect((await images.show(id)).status).toBe('queued');
  });

  it('is refused for an image with staged data', async () => {
    const id = await staged();
    const response = await importInto(images, id, download(web.url('/')));
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toBe(
      `Image ${id} cannot be imported by web-download while its status is 'uploading': it must be 'queued'.`,
    );
  });
});

describe('POST /v2/images/{image_id}/import', () => {
  it.each(['copy-image', 'glance-download', 'teleport'])(
    'refuses the method %s by name',
    async (name) => {
      const { id } = await images.create();
      const response = await importInto(images, id, {
        method: { name, glance_region: 'there', glance_image_id: newId() },
      });
      expect(response.status).toBe(400);
      expect(errorOf(response).message).toBe(
        `Import method '${name}' is not supported; it must be glance-direct or web-download.`,
      );
    },
  );

  it.each([
    [{}, 'method is required'],
    [{ method: 'glance-direct' }, 'method must be an object'],
    [{ method: {} }, 'method.name is required'],
    [{ ...DIRECT, all_stores: 'yes' }, 'all_stores must be a boolean value'],
    [{ ...DIRECT, all_stores_must_succeed: 1 }, 'all_stores_must_succeed must be a boolean value'],
    [{ ...DIRECT, stores: 'memory' }, 'stores must be an array'],
    [{ ...DIRECT, nonsense: 1 }, 'nonsense is not a property that this operation knows'],
  ])('refuses the body %j', async (body, message) => {
    const response = await importInto(images, await staged(), body);
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(message);
  });

  it('refuses glance-direct without staged data', async () => {
    const { id } = await images.create();
    const response = await importInto(images, id, DIRECT);
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toBe(
      `Image ${id} cannot be imported by glance-direct while its status is 'queued': its data must be staged before.`,
    );
  });

  it('refuses an image that is active', async () => {
    const { id } = await images.createActive('data');
    expect(errorOf(await importInto(images, id, DIRECT))).toEqual({
      key: 'conflictingRequest',
      code: 409,
      message: `Image ${id} cannot be imported by glance-direct while its status is 'active': its data must be staged before.`,
    });
    expect((await importInto(images, id, download(web.url('/')))).status).toBe(409);
  });

  it('refuses an image that is importing', async () => {
    answer = () => undefined;
    const { id } = await images.create();
    const answers = await Promise.all(
      [1, 2, 3].map(() => importInto(images, id, download(web.url('/')))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect(await images.show(id)).toMatchObject({
      status: 'importing',
      os_glance_importing_to_stores: 'memory',
      os_glance_failed_import: '',
    });
    await images.client.delete(`/v2/images/${id}`, { token: images.member });
  });

  it.each(['disk_format', 'container_format'])('refuses an image without %s', async (field) => {
    const { id } = await images.create({ [field]: null });
    const response = await importInto(images, id, download(web.url('/')));
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(field);
  });

  it('refuses data that does not match the image', async () => {
    const id = await staged({ disk_format: 'qcow2' });
    await importInto(images, id, DIRECT);
    expect(await imported(images, id)).toMatchObject({
      status: 'queued',
      os_glance_status_reason: 'The data is raw, but disk_format is qcow2.',
    });
  });

  it('refuses readers and other projects', async () => {
    const id = await staged();
    expect((await importInto(images, id, DIRECT, images.reader)).status).toBe(403);
    expect((await importInto(images, id, DIRECT, images.stranger)).status).toBe(404);
    const published = await staged({ visibility: 'community' });
    expect((await importInto(images, published, DIRECT, images.stranger)).status).toBe(403);
    expect((await importInto(images, newId(), DIRECT)).status).toBe(404);
  });

  it('counts as an upload while it lasts', async () => {
    const few = await TestImages.start({
      role: 'api',
      imageUploadQuota: 1,
      webDownloadAllowPrivate: true,
    });
    const answers: number[] = [];
    for (let at = 0; at < 2; at += 1) {
      const { id } = await few.create();
      const body = download('http://127.0.0.1/');
      const path = `/v2/images/${id}/import`;
      answers.push((await few.client.post(path, { token: few.member, body })).status);
    }
    expect(answers).toEqual([202, 413]);
    await few.stop();
  });
});

describe('the stores of an import', () => {
  it.each([
    [{ stores: ['memory'] }, undefined, 202],
    [{ stores: ['memory'], all_stores_must_succeed: false }, undefined, 202],
    [{ all_stores: true, all_stores_must_succeed: true }, undefined, 202],
    [{}, 'memory', 202],
    [{ stores: ['memory'] }, 'memory', 202],
    [{ stores: ['reliable'] }, undefined, 409],
    [{}, 'reliable', 409],
    [{ all_stores: true, stores: ['memory'] }, undefined, 400],
    [{ all_stores: true }, 'memory', 400],
    [{ stores: ['memory'] }, 'reliable', 400],
  ])('%j and the header %s are answered by %d', async (fields, header, status) => {
    const id = await staged();
    const response = await images.client.post(`/v2/images/${id}/import`, {
      token: images.member,
      body: { ...DIRECT, ...fields },
      headers: header === undefined ? {} : { 'X-Image-Meta-Store': header },
    });
    expect(response.status).toBe(status);
  });
});

describe('the delete of an image', () => {
  const remove = (id: string): Promise<TestResponse> =>
    images.client.delete(`/v2/images/${id}`, { token: images.member });

  /** The object that is or was staged for the image. */
  const objectOf = async (id: string): Promise<string | undefined> => {
    const rows: { object: string | null }[] = await images.app.dataSource.query(
      'SELECT staged_data_id AS object FROM images WHERE id = $1',
      [id],
    );
    return rows[0]?.object ?? undefined;
  };
  const isThere = async (object: string | undefined): Promise<boolean> =>
    object !== undefined && (await images.objects()).includes(object);

  it('removes its staged data', async () => {
    const id = await staged();
    const object = await objectOf(id);
    expect(await isThere(object)).toBe(true);
    expect((await remove(id)).status).toBe(204);
    await eventually('it is removed', async () => !(await isThere(object)));
  });

  it('ends its import, leaving nothing', async () => {
    let isClosed = false;
    answer = (_, response) => {
      response.once('close', () => (isClosed = true));
      response.writeHead(200, { 'content-length': 10 }).write('half');
    };
    const { id } = await images.create();
    await importInto(images, id, download(web.url('/')));
    let object: string | undefined;
    await eventually('the download runs', async () => {
      object = await objectOf(id);
      return isThere(object);
    });
    expect((await remove(id)).status).toBe(204);
    await eventually('the download has ended', () => isClosed);
    await eventually('nothing is left', async () => !(await isThere(object)));
    const { status } = await images.client.get(`/v2/images/${id}`, { token: images.member });
    expect(status).toBe(404);
  });
});

describe('discovery', () => {
  it('lists the methods', async () => {
    const response = await images.client.get('/v2/info/import', { token: images.reader });
    expect(response.body).toEqual({
      'import-methods': {
        description: 'Import methods available.',
        type: 'array',
        value: ['glance-direct', 'web-download'],
      },
    });
    const created = await images.client.post('/v2/images', { token: images.member, body: {} });
    expect(created.headers.get('openstack-image-import-methods')).toBe(
      'glance-direct,web-download',
    );
  });

  it('omits methods that are switched off, which are refused', async () => {
    const offline = await TestImages.start({ role: 'api', webDownload: false });
    const info = await offline.client.get('/v2/info/import', { token: offline.reader });
    expect(info.body).toMatchObject({ 'import-methods': { value: ['glance-direct'] } });
    const { id } = await offline.create();
    const response = await offline.client.post(`/v2/images/${id}/import`, {
      token: offline.member,
      body: download('http://images.example/'),
    });
    expect(response.status).toBe(400);
    await offline.stop();
  });
});
