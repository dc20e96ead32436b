import { request as httpRequest, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({
    imageSizeLimit: 10_000,
    imageStagingQuota: 1_000,
  });
});
afterAll(() => images.stop());

const OCTETS = { 'Content-Type': 'application/octet-stream' };

function stage(
  id: string,
  data: Uint8Array | string,
  { token = images.member, headers = {} }: { token?: string; headers?: object } = {},
): Promise<TestResponse> {
  return images.client.put(`/v2/images/${id}/stage`, {
    token,
    body: data,
    headers: { ...OCTETS, ...headers },
  });
}

/** Counted bytes of the project, as shown to its owner. */
async function staged(): Promise<unknown> {
  const { body } = await images.client.get('/v2/info/usage', { token: images.reader });
  return body;
}

async function untilStatus(id: string, status: string): Promise<void> {
  await eventually(`image ${id} is ${status}`, async () => {
    return (await images.show(id)).status === status;
  });
}

/** An upload whose bytes are sent by the test. */
function openUpload(id: string, service = images): ClientRequest {
  const upload = httpRequest(`${service.client.baseUrl}/v2/images/${id}/stage`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': service.member, 'Content-Length': '500', ...OCTETS },
  });
  upload.on('error', () => undefined);
  upload.write('half');
  return upload;
}

describe('PUT /v2/images/{image_id}/stage', () => {
  it('stores data without activating the image', async () => {
    const before = await images.objects();
    const { id } = await images.create();
    const response = await stage(id, 'data');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await images.objects()).toHaveLength(before.length + 1);
    const file = await images.client.get(`/v2/images/${id}/file`, { token: images.member });
    expect(file.status).toBe(204);
  });

  it('shows only the size of staged data', async () => {
    const { id } = await images.create({ name: 'staged' });
    await stage(id, 'data!');
    expect(await images.show(id)).toMatchObject({
      status: 'uploading',
      size: 5,
      virtual_size: null,
      checksum: null,
      os_hash_algo: null,
      os_hash_value: null,
    });
    expect(await images.show(id)).not.toHaveProperty('stores');
    const list = await images.client.get('/v2/images?name=staged&size=5&sort=size', {
      token: images.reader,
    });
    expect(list.body).toMatchObject({ images: [{ id, size: 5 }] });
  });

  it('accepts data of unknown format', async () => {
    const { id } = await images.create({ disk_format: null, container_format: null });
    expect((await stage(id, 'data')).status).toBe(204);
  });

  it('refuses data for an image that has data, also staged', async () => {
    const { id } = await images.create();
    await stage(id, 'data');
    const refused = { key: 'conflictingRequest', code: 409 };
    expect(errorOf(await stage(id, 'more'))).toEqual({
      ...refused,
      message: `Cannot 'stage' image ${id} while it is in state staged.`,
    });
    expect(errorOf(await images.upload(id, 'more'))).toEqual({
      ...refused,
      message: `Cannot 'upload' image ${id} while it is in state staged.`,
    });
    const active = await images.createActive('data');
    expect((await stage(active.id, 'more')).status).toBe(409);
  });

  it('refuses a Content-Type other than octet-stream', async () => {
    const { id } = await images.create();
    const response = await stage(id, '{"half":', { headers: { 'Content-Type': 'text/plain' } });
    expect(errorOf(response)).toEqual({
      key: 'unsupportedMediaType',
      code: 415,
      message: "Content-Type must be application/octet-stream; 'text/plain' is not.",
    });
    expect((await images.show(id)).status).toBe('queued');
  });

  it('refuses a size other than X-OpenStack-Image-Size', async () => {
    const { id } = await images.create();
    const headers = { 'X-OpenStack-Image-Size': '5' };
    expect((await stage(id, 'data', { headers })).status).toBe(400);
  });

  it('refuses more than an image may have, or the project may stage', async () => {
    const { id } = await images.create();
    const large = await stage(id, Buffer.alloc(10_001));
    expect([large.status, errorOf(large).message]).toEqual([
      413,
      'The data of an image may have at most 10000 bytes.',
    ]);
    const greedy = await stage(id, Buffer.alloc(1_001));
    expect(greedy.status).toBe(403);
    expect(errorOf(greedy).message).toContain('Quota exceeded for image_stage_total');
    expect((await images.show(id)).status).toBe('queued');
  });

  it('refuses readers and other projects', async () => {
    const { id } = await images.create();
    expect((await stage(id, 'data', { token: images.reader })).status).toBe(403);
    expect((await stage(id, 'data', { token: images.stranger })).status).toBe(404);
    const { id: published } = await images.create({ visibility: 'community' });
    expect((await stage(published, 'data', { token: images.stranger })).status).toBe(403);
    expect((await stage(newId(), 'data')).status).toBe(404);
    expect((await stage('nonsense', 'data')).status).toBe(404);
  });
});

describe('interrupted data', () => {
  it('queues the image again, without bytes, when the client disconnects', async () => {
    const before = [await images.objects(), await staged()];
    const { id } = await images.create();
    const upload = openUpload(id);
    await untilStatus(id, 'uploading');
    upload.destroy();
    await untilStatus(id, 'queued');
    expect((await images.show(id))['os_glance_status_reason']).toBe('The upload was interrupted.');
    const [objects] = before;
    expect(await images.objects()).toEqual(objects);
  });

  it('queues the image again when the client stalls', async () => {
    const hasty = await TestImages.start({ uploadStallSeconds: 1 });
    const { id } = await hasty.create();
    const upload = openUpload(id, hasty);
    const status = new Promise((resolve) =>
      upload.on('response', (response) => resolve(response.resume().statusCode)),
    );
    expect(await status).toBe(400);
    expect((await hasty.show(id)).status).toBe('queued');
    upload.destroy();
    await hasty.stop();
  });

  it('ends when the image is deleted, and leaves no bytes', async () => {
    const before = await images.objects();
    const { id } = await images.create();
    const upload = openUpload(id);
    await untilStatus(id, 'uploading');
    const status = new Promise((resolve) =>
      upload.on('response', (response) => resolve(response.resume().statusCode)),
    );
    await images.client.delete(`/v2/images/${id}`, { token: images.member });
    upload.end(Buffer.alloc(496));
    expect(await status).toBe(410);
    expect(await images.objects()).toEqual(before);
  });
});
