import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { errorOf, TestImages } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({ imageSizeLimit: 5_000_000 });
});
afterAll(() => images.stop());

const md5 = (data: Buffer): string => createHash('md5').update(data).digest('hex');
const sha512 = (data: Buffer): string => createHash('sha512').update(data).digest('hex');

function download(
  id: string,
  headers: Record<string, string> = {},
  token = images.member,
): Promise<TestResponse> {
  return images.client.get(`/v2/images/${id}/file`, { token, headers });
}

/** An upload whose bytes are sent by the test. */
function openUpload(
  id: string,
  headers: Record<string, string> = {},
  service = images,
): ClientRequest {
  const upload = httpRequest(`${service.client.baseUrl}/v2/images/${id}/file`, {
    method: 'PUT',
    headers: {
      'X-Auth-Token': service.member,
      'Content-Type': 'application/octet-stream',
      ...headers,
    },
  });
  upload.on('error', () => undefined);
  return upload;
}

function statusOf(upload: ClientRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    upload.on('response', (response) => resolve(response.resume().statusCode));
    upload.on('error', reject);
  });
}

async function untilStatus(id: string, status: string): Promise<void> {
  await eventually(`image ${id} is ${status}`, async () => {
    return (await images.show(id)).status === status;
  });
}

describe('PUT /v2/images/{image_id}/file', () => {
  it('makes the image active, with size and hashes', async () => {
    const data = randomBytes(1_234_567);
    const { id } = await images.create({ disk_format: 'raw' });
    const response = await images.upload(id, data);
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(await images.show(id)).toMatchObject({
      status: 'active',
      size: data.length,
      virtual_size: data.length,
      checksum: md5(data),
      os_hash_algo: 'sha512',
      os_hash_value: sha512(data),
    });
  });

  it('accepts data of unannounced length', async () => {
    const { id } = await images.create();
    const upload = openUpload(id);
    const status = statusOf(upload);
    upload.write('one ');
    upload.end('two');
    expect(await status).toBe(204);
    expect(await images.show(id)).toMatchObject({ size: 7 });
  });

  it('accepts an empty image', async () => {
    const { size, status } = await images.createActive('');
    expect({ size, status }).toEqual({ size: 0, status: 'active' });
  });

  it.each([
    ['JSON', 'application/json'],
    ['malformed', 'bytes, please'],
    ['a form', 'application/x-www-form-urlencoded'],
  ])('refuses a Content-Type that is %s', async (_what, type) => {
    const { id } = await images.create();
    const response = await images.client.put(`/v2/images/${id}/file`, {
      token: images.member,
      body: '{"half":',
      headers: { 'Content-Type': type },
    });
    expect(response.status).toBe(415);
    expect(errorOf(response)).toEqual({
      key: 'unsupportedMediaType',
      code: 415,
      message: `Content-Type must be application/octet-stream; '${type}' is not.`,
    });
    expect((await images.show(id)).status).toBe('queued');
  });

  it('refuses data without a Content-Type', async () => {
    const { id } = await images.create();
    const response = await fetch(`${images.client.baseUrl}/v2/images/${id}/file`, {
      method: 'PUT',
      headers: { 'X-Auth-Token': images.member },
      body: new Uint8Array(10),
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({
      unsupportedMediaType: {
        code: 415,
        message: 'Content-Type must be application/octet-stream; none is given.',
      },
    });
    expect((await images.show(id)).status).toBe('queued');
  });

  it('refuses data before the formats are set', async () => {
    const { id } = await images.create({ disk_format: null, container_format: null });
    const response = await images.upload(id, 'data');
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toBe(
      `Image ${id} cannot take data before these are set: disk_format, container_format.`,
    );
  });

  it('refuses data for an active image, and keeps its data', async () => {
    const { id } = await images.createActive('first');
    const response = await images.upload(id, 'second');
    expect(response.status).toBe(409);
    expect(errorOf(response)).toEqual({
      key: 'conflictingRequest',
      code: 409,
      message: `Cannot 'upload' image ${id} while it is in state active.`,
    });
    expect((await download(id)).text).toBe('first');
  });

  it('accepts one of two uploads, and refuses the other', async () => {
    const { id } = await images.create();
    const first = openUpload(id);
    const status = statusOf(first);
    first.write('slow ');
    await untilStatus(id, 'saving');
    expect((await images.upload(id, 'fast')).status).toBe(409);
    first.end('but first');
    expect(await status).toBe(204);
    expect((await download(id)).text).toBe('slow but first');
  });

  it.each([
    ['announced', { 'Content-Length': '5000001' }],
    ['not announced', {}],
  ])('refuses more than an image may have, %s', async (_what, headers) => {
    const { id } = await images.create();
    const upload = openUpload(id, headers);
    const status = statusOf(upload);
    upload.end(randomBytes(5_000_001));
    expect(await status).toBe(413);
    expect((await images.show(id)).status).toBe('queued');
    expect(await images.objects()).not.toContain(id);
  });

  it('refuses fewer or more bytes than announced', async () => {
    const { id } = await images.create();
    const response = await images.client.put(`/v2/images/${id}/file`, {
      token: images.member,
      body: 'four',
      headers: {
        'Content-Type': 'application/octet-stream',
        'X-OpenStack-Image-Size': '5',
      },
    });
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toBe('The upload announced 5 bytes and sent 4.');
  });

  it('refuses chunks that add up to another size than announced', async () => {
    const { id } = await images.create();
    const upload = openUpload(id, { 'X-OpenStack-Image-Size': '5' });
    const status = statusOf(upload);
    upload.end('four');
    expect(await status).toBe(400);
    expect(await images.show(id)).toMatchObject({ status: 'queued', size: null });
  });

  it('ends at the first byte beyond the announced size', async () => {
    const { id } = await images.create();
    const upload = openUpload(id, { 'X-OpenStack-Image-Size': '5' });
    const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
    upload.write('sixsix');
    const [response] = await answered;
    expect(response.statusCode).toBe(400);
    expect(await text(response)).toContain('The upload exceeds the 5 bytes that it announced.');
    expect(await images.show(id)).toMatchObject({ status: 'queued', size: null });
    upload.destroy();
  });

  it('is queued again, without bytes, after an interrupted upload', async () => {
    const before = await images.objects();
    const { id } = await images.create();
    const upload = openUpload(id, { 'Content-Length': '1000' });
    upload.write(randomBytes(500));
    await untilStatus(id, 'saving');
    upload.destroy();
    await untilStatus(id, 'queued');
    await eventually('nothing is left of it', async () => {
      return (await images.objects()).length === before.length;
    });
    expect((await images.upload(id, 'whole')).status).toBe(204);
  });

  it('ends a stalled upload', async () => {
    const hasty = await TestImages.start({ uploadStallSeconds: 1 });
    const { id } = await hasty.create();
    const upload = openUpload(id, { 'Content-Length': '1000' }, hasty);
    const status = statusOf(upload);
    upload.write('half');
    expect(await status).toBe(400);
    expect(await hasty.show(id)).toMatchObject({
      status: 'queued',
      os_glance_status_reason: 'The upload was aborted: no data arrived for 1 seconds.',
    });
    await hasty.stop();
  });

  it('answers 410 when the image is deleted meanwhile', async () => {
    const before = await images.objects();
    const { id } = await images.create();
    const upload = openUpload(id);
    const status = statusOf(upload);
    upload.write('half');
    await untilStatus(id, 'saving');
    await images.client.delete(`/v2/images/${id}`, { token: images.member });
    upload.end('done');
    expect(await status).toBe(410);
    expect(await images.objects()).toHaveLength(before.length);
  });

  it('is queued again when the store fails', async () => {
    const { id } = await images.create();
    images.store.failNextPut = new Error('/secret/path is on fire');
    const response = await images.upload(id, 'data');
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('secret');
    expect((await images.show(id)).status).toBe('queued');
  });

  it('discards the body of a refused upload, so that its client sees the answer', async () => {
    const { id } = await images.createActive('first');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => images.upload(id, randomBytes(4_000_000))),
    );
    expect(responses.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  });

  it.each(['00000000-0000-4000-8000-00000000dead', 'no-uuid'])(
    'answers 404 for image %s',
    async (id) => {
      expect((await images.upload(id, 'data')).status).toBe(404);
    },
  );
});

describe('GET /v2/images/{image_id}/file', () => {
  it('returns the uploaded data', async () => {
    const data = randomBytes(3_000_000);
    const { id } = await images.createActive(data);
    const response = await fetch(`${images.client.baseUrl}/v2/images/${id}/file`, {
      headers: { 'X-Auth-Token': images.member },
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '3000000',
      'content-md5': md5(data),
      'accept-ranges': 'bytes',
      etag: `"${sha512(data)}"`,
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(data)).toBe(true);
  });

  it('answers 204 for an image without data', async () => {
    const { id } = await images.create();
    const response = await download(id);
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
  });

  it('answers 204 during the upload', async () => {
    const { id } = await images.create();
    const upload = openUpload(id);
    upload.write('half');
    await untilStatus(id, 'saving');
    expect((await download(id)).status).toBe(204);
    upload.destroy();
    await untilStatus(id, 'queued');
  });

  it('answers HEAD with the headers of GET', async () => {
    const { id } = await images.createActive('0123456789');
    const response = await images.client.send('HEAD', `/v2/images/${id}/file`, {
      token: images.member,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
    expect(response.headers.get('etag')).toBe(`"${sha512(Buffer.from('0123456789'))}"`);
    expect(response.text).toBe('');
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=8-99999999999999999999999', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('answers Range %s with 206', async (range, text, contentRange) => {
    const { id } = await images.createActive('0123456789');
    const response = await download(id, { Range: range });
    expect(response.status).toBe(206);
    expect(response.text).toBe(text);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
  });

  it.each(['bytes=10-', 'bytes=5-2', 'bytes=-0', 'bytes=-', 'bytes=x-y', 'lines=1-2'])(
    'answers Range %s with 416 and the size',
    async (range) => {
      const { id } = await images.createActive('0123456789');
      const response = await download(id, { Range: range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('bytes */10');
      expect(errorOf(response).key).toBe('rangeNotSatisfiable');
    },
  );

  it('refuses several ranges at once', async () => {
    const { id } = await images.createActive('0123456789');
    expect((await download(id, { Range: 'bytes=0-1,4-5' })).status).toBe(400);
  });

  it('answers 500 without details of the store when the data is lost', async () => {
    const { id } = await images.createActive('data');
    for await (const object of images.store.list()) await images.store.remove(object);
    const response = await download(id);
    expect(response.status).toBe(500);
    expect(errorOf(response).message).toBe(
      'An unexpected error prevented the server from fulfilling your request.',
    );
  });
});
