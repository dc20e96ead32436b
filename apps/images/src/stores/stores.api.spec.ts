import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { errorOf, TestImages } from '../images.fixture.js';

const OCTETS = { 'Content-Type': 'application/octet-stream' };

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());

describe('stores', () => {
  it('lists the single store to any authenticated caller', async () => {
    const { body } = await images.client.get('/v2/info/stores', { token: images.reader });
    expect(body).toEqual({ stores: [{ id: 'memory', default: 'true' }] });
  });

  it('shows details to administrators only', async () => {
    const path = '/v2/info/stores/detail';
    const { body } = await images.client.get(path, { token: images.admin });
    const detail = { id: 'memory', default: 'true', type: 'memory', weight: 0, properties: {} };
    expect(body).toEqual({ stores: [detail] });
    expect((await images.client.get(path, { token: images.member })).status).toBe(403);
  });
});

describe('an image', () => {
  it('lists the stores in a header on creation, as Glance does', async () => {
    const { headers } = await images.client.post('/v2/images', { token: images.member, body: {} });
    expect(headers.get('openstack-image-store-ids')).toBe('memory');
  });

  it('names the store once it has data', async () => {
    const { id } = await images.create({ name: 'stored' });
    expect(await images.show(id)).not.toHaveProperty('stores');
    await images.upload(id, 'data');
    expect(await images.show(id)).toMatchObject({ stores: 'memory' });
    const list = await images.client.get('/v2/images?name=stored', { token: images.reader });
    expect(list.body).toMatchObject({ images: [{ id, stores: 'memory' }] });
  });

  it('does not let its owner set a store', async () => {
    const { id } = await images.createActive('data');
    const response = await images.client.patch(`/v2/images/${id}`, {
      token: images.member,
      headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
      body: JSON.stringify([{ op: 'replace', path: '/stores', value: 'tape' }]),
    });
    expect(errorOf(response)).toMatchObject({
      code: 403,
      message: "Attribute 'stores' is read-only.",
    });
  });
});

describe('an upload that names a store', () => {
  const upload = async (store: string): Promise<{ status: number; text: string; id: string }> => {
    const { id } = await images.create();
    const { status, text } = await images.client.put(`/v2/images/${id}/file`, {
      token: images.member,
      body: 'data',
      headers: { ...OCTETS, 'X-Image-Meta-Store': store },
    });
    return { status, text, id };
  };

  it('is accepted for the existing store', async () => {
    expect((await upload('memory')).status).toBe(204);
  });

  it('is refused for another store, and leaves the image unchanged', async () => {
    const { status, text, id } = await upload('tape');
    expect(status).toBe(400);
    expect(text).toContain("There is no store 'tape'");
    expect((await images.show(id)).status).toBe('queued');
  });
});

describe('a download with preferred stores', () => {
  const download = async (query: string, token = images.reader): Promise<TestResponse> => {
    const { id } = await images.createActive('data');
    return images.client.get(`/v2/images/${id}/file?${query}`, { token });
  };

  it.each(['prefer=memory', 'prefer=memory,%20memory', 'prefer=', 'prefer=,', ''])(
    'reads the existing store: %s',
    async (query) => {
      expect(await download(query)).toMatchObject({ status: 200, text: 'data' });
    },
  );

  it.each(['prefer=tape', 'prefer=memory,tape', 'prefer=memory&prefer=tape'])(
    'is refused for another store: %s',
    async (query) => {
      expect(errorOf(await download(query))).toEqual({
        key: 'badRequest',
        code: 400,
        message: "There is no store 'tape'; 'memory' is the only one.",
      });
    },
  );

  it('does not reveal an image that the caller may not see', async () => {
    const { id } = await images.createActive('data', { visibility: 'private' });
    const path = `/v2/images/${id}/file?prefer=tape`;
    expect((await images.client.get(path, { token: images.stranger })).status).toBe(404);
  });
});

describe('DELETE /v2/stores/{store_id}/{image_id}', () => {
  const remove = async (id: string, token = images.member, store = 'memory') =>
    errorOf(await images.client.delete(`/v2/stores/${store}/${id}`, { token }));

  it('keeps the last copy of the data', async () => {
    const { id } = await images.createActive('data');
    const { code, message } = await remove(id);
    expect(code).toBe(403);
    expect(message).toContain('delete the image instead');
    expect((await images.show(id)).status).toBe('active');
  });

  it('answers 409 for an image without data, and for an unknown store', async () => {
    const { id } = await images.create();
    expect((await remove(id)).code).toBe(409);
    expect((await remove(id, images.member, 'tape')).code).toBe(409);
  });

  it("answers 404 for an invisible image, and 403 for another project's", async () => {
    const hidden = await images.create({ visibility: 'private' });
    expect((await remove(hidden.id, images.stranger)).code).toBe(404);
    expect((await remove('no-uuid')).code).toBe(404);
    const seen = await images.createActive('data', { visibility: 'community' });
    expect((await remove(seen.id, images.stranger)).code).toBe(403);
  });
});
