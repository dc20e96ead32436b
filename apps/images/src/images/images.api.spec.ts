import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { eventually } from '@cumulet/testing/settle';
import { errorOf, TestImages, type WireImage } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());

describe('POST /v2/images', () => {
  it('creates an image that is queued and shared by default', async () => {
    const body = { name: 'debian', disk_format: 'qcow2', container_format: 'bare' };
    const response = await images.client.post('/v2/images', { token: images.member, body });
    expect(response.status).toBe(201);
    const image = response.body as WireImage;
    expect(image).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: 'debian',
      status: 'queued',
      visibility: 'shared',
      owner: images.project,
      disk_format: 'qcow2',
      container_format: 'bare',
      min_disk: 0,
      min_ram: 0,
      protected: false,
      os_hidden: false,
      tags: [],
      size: null,
      virtual_size: null,
      checksum: null,
      os_hash_algo: null,
      os_hash_value: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: image['created_at'],
      self: `/v2/images/${image.id}`,
      file: `/v2/images/${image.id}/file`,
      schema: '/v2/schemas/image',
    });
    expect(response.headers.get('location')).toBe(`${images.client.baseUrl}/v2/images/${image.id}`);
  });

  it('keeps everything that a client may set, custom properties as top-level keys', async () => {
    const fields = {
      id: '6f2b1c1e-2222-4333-8444-0123456789ab',
      name: 'all of it',
      visibility: 'community',
      min_disk: 5,
      min_ram: 512,
      protected: true,
      os_hidden: true,
      tags: ['one', 'two'],
      kernel_id: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      ramdisk_id: 'ffffffff-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      hw_disk_bus: 'virtio',
      'owner_specified.openstack.md5': '',
    };
    expect(await images.create(fields)).toMatchObject(fields);
    expect(await images.show(fields.id)).toMatchObject(fields);
  });

  it('accepts an image without a name or formats', async () => {
    const response = await images.client.post('/v2/images', { token: images.member, body: {} });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ name: null, disk_format: null });
  });

  it('removes duplicate tags', async () => {
    expect(await images.create({ tags: ['a', 'b', 'a'] })).toMatchObject({ tags: ['a', 'b'] });
  });

  it('treats a null kernel_id as absent', async () => {
    expect(await images.create({ kernel_id: null })).not.toHaveProperty('kernel_id');
  });

  it('refuses an ID that is taken, even by another project', async () => {
    const { id } = await images.create();
    const response = await images.client.post('/v2/images', {
      token: images.stranger,
      body: { id },
    });
    expect(response.status).toBe(409);
    expect(errorOf(response)).toMatchObject({ key: 'conflictingRequest', code: 409 });
  });

  it('refuses the ID of a deleted image, even to its former owner', async () => {
    const { id } = await images.createActive('what everybody boots from');
    await images.client.delete(`/v2/images/${id}`, { token: images.member });
    for (const token of [images.stranger, images.member, images.admin]) {
      const response = await images.client.post('/v2/images', { token, body: { id } });
      expect(errorOf(response)).toEqual({
        key: 'conflictingRequest',
        code: 409,
        message: `An image with ID ${id} exists already.`,
      });
    }
    const { status } = await images.client.get(`/v2/images/${id}`, { token: images.admin });
    expect(status).toBe(404);
  });

  it('gives an ID to one of several concurrent requests', async () => {
    const body = { id: randomUUID() };
    const answers = await Promise.all(
      [images.member, images.stranger, images.admin].map((token) =>
        images.client.post('/v2/images', { token, body }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it.each([
    ['name', { name: 5 }, 'name must be a string of at most 255 characters'],
    ['name', { name: 'x'.repeat(256) }, 'name must be a string of at most 255 characters'],
    [
      'name',
      { name: 'a\0b' },
      'name must contain neither a null character nor half a surrogate pair',
    ],
    [
      'name',
      { name: '\ud800' },
      'name must contain neither a null character nor half a surrogate pair',
    ],
    ['disk_format', { disk_format: 'floppy' }, 'disk_format must be one of ami, ari'],
    ['container_format', { container_format: 7 }, 'container_format must be one of ami'],
    ['visibility', { visibility: 'secret' }, 'visibility must be one of public, private'],
    ['min_ram', { min_ram: -1 }, 'min_ram must be an integer from 0 to 2147483647'],
    ['min_disk', { min_disk: '5' }, 'min_disk must be an integer from 0 to 2147483647'],
    ['protected', { protected: 'yes' }, 'protected must be true or false'],
    ['tags', { tags: 'one' }, 'tags must be a list of at most 128 strings'],
    ['tags', { tags: ['x'.repeat(256)] }, 'tags must be a list of at most 128 strings'],
    ['tags', { tags: [7] }, 'tags must be a list of at most 128 strings'],
    ['id', { id: 'no-uuid' }, 'id must be a UUID'],
    ['kernel_id', { kernel_id: 'linux' }, 'kernel_id must be a UUID'],
    ['a property', { flavour: { a: 1 } }, 'flavour must be a string'],
    ['a property', { flavour: null }, 'flavour must be a string'],
    ['a property', { ['x'.repeat(256)]: 'y' }, 'must have a name of 1 to 255 characters'],
  ])('refuses a wrong %s: %j', async (_field, fields, message) => {
    const response = await images.client.post('/v2/images', { token: images.member, body: fields });
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject({ key: 'badRequest', code: 400 });
    expect(errorOf(response).message).toContain(message);
  });

  it('measures a name in characters, not in halves of surrogate pairs', async () => {
    const name = '🐧'.repeat(255);
    expect(await images.create({ name })).toMatchObject({ name });
  });

  it.each(['status', 'size', 'checksum', 'created_at', 'self', 'file', 'direct_url', 'stores'])(
    'refuses the read-only %s',
    async (name) => {
      const response = await images.client.post('/v2/images', {
        token: images.member,
        body: { [name]: 'x' },
      });
      expect(response.status).toBe(403);
      expect(errorOf(response).message).toBe(`Attribute '${name}' is read-only.`);
    },
  );

  it.each(['location', 'locations', 'deleted', 'os_glance_import_task'])(
    'refuses the reserved %s',
    async (name) => {
      const response = await images.client.post('/v2/images', {
        token: images.member,
        body: { [name]: 'x' },
      });
      expect(response.status).toBe(403);
      expect(errorOf(response).message).toBe(`Attribute '${name}' is reserved.`);
    },
  );

  it('refuses more custom properties than an image may have', async () => {
    const body = Object.fromEntries(
      Array.from({ length: 129 }, (_, at): [string, string] => [`property_${at}`, 'x']),
    );
    const response = await images.client.post('/v2/images', { token: images.member, body });
    expect(response.status).toBe(413);
    expect(errorOf(response).key).toBe('overLimit');
  });

  it('refuses custom properties with too many bytes together', async () => {
    const post = (value: string): Promise<TestResponse> =>
      images.client.post('/v2/images', {
        token: images.member,
        body: { a: value, description: 'x'.repeat(35_524) },
      });
    const refused = await post('ü'.repeat(15_001));
    expect(refused.status).toBe(413);
    expect(errorOf(refused)).toMatchObject({
      key: 'overLimit',
      message: 'The custom properties of an image may have 65536 bytes together; these have 65538.',
    });
    expect((await post('ü'.repeat(15_000))).status).toBe(201);
  });

  it.each([
    ['malformed JSON', '{"name":'],
    ['a list', '[]'],
    ['a string', '"image"'],
    ['null', 'null'],
  ])('refuses a body that is %s', async (_what, body) => {
    const response = await images.client.post('/v2/images', { token: images.member, body });
    expect(response.status).toBe(400);
    expect(errorOf(response).key).toBe('badRequest');
  });

  it('refuses a body over the limit', async () => {
    const body = JSON.stringify({ description: 'x'.repeat(2_000_000) });
    const response = await images.client.post('/v2/images', { token: images.member, body });
    expect(response.status).toBe(413);
    expect(errorOf(response).key).toBe('overLimit');
  });

  it('refuses a body that is not JSON', async () => {
    const response = await images.client.post('/v2/images', {
      token: images.member,
      body: 'bytes',
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    expect(response.status).toBe(415);
    expect(errorOf(response).key).toBe('unsupportedMediaType');
  });

  it('lets only admins make an image public', async () => {
    const body = { visibility: 'public' };
    const refused = await images.client.post('/v2/images', { token: images.member, body });
    expect(errorOf(refused)).toEqual({
      key: 'forbidden',
      code: 403,
      message: "Making an image public (visibility 'public') needs the role admin.",
    });
    const made = await images.client.post('/v2/images', { token: images.admin, body });
    expect(made.status).toBe(201);
  });

  it('lets only admins create an image for another project', async () => {
    const body = { owner: newId() };
    const refused = await images.client.post('/v2/images', { token: images.member, body });
    expect(refused.status).toBe(403);
    const made = await images.client.post('/v2/images', { token: images.admin, body });
    expect(made.body).toMatchObject(body);
  });

  it('refuses an empty owner', async () => {
    const body = { owner: '' };
    const response = await images.client.post('/v2/images', { token: images.admin, body });
    expect(errorOf(response)).toMatchObject({
      code: 400,
      message: 'Invalid input: owner must be a project.',
    });
  });

  it('leaves nothing behind after a refusal', async () => {
    const name = newId();
    await images.client.post('/v2/images', { token: images.member, body: { name, min_ram: -1 } });
    const { body } = await images.client.get(`/v2/images?name=${name}`, { token: images.member });
    expect(body).toMatchObject({ images: [] });
  });
});

describe('GET /v2/images/{image_id}', () => {
  it.each([
    ['a UUID of no image', '00000000-0000-4000-8000-00000000dead'],
    ['a UUID without dashes', '0000000000004000800000000000dead'],
    ['a name', 'debian'],
    ['what is half escaped', '%20'],
  ])('answers 404 to %s', async (_what, id) => {
    const response = await images.client.get(`/v2/images/${id}`, { token: images.member });
    expect(response.status).toBe(404);
    expect(errorOf(response)).toEqual({
      key: 'itemNotFound',
      code: 404,
      message: `No image found with ID ${decodeURIComponent(id)}.`,
    });
  });

  it('accepts an upper-case ID', async () => {
    const { id } = await images.create();
    const response = await images.client.get(`/v2/images/${id.toUpperCase()}`, {
      token: images.member,
    });
    expect(response.body).toMatchObject({ id });
  });
});

describe('DELETE /v2/images/{image_id}', () => {
  it('removes the image and its data', async () => {
    const { id } = await images.createActive('bytes to be gone');
    const before = await images.objects();
    const response = await images.client.delete(`/v2/images/${id}`, { token: images.member });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    const after = await images.client.get(`/v2/images/${id}`, { token: images.member });
    expect(after.status).toBe(404);
    await eventually('the data is gone', async () => {
      return (await images.objects()).length === before.length - 1;
    });
  });

  it('refuses a protected image', async () => {
    const { id } = await images.create({ protected: true });
    const response = await images.client.delete(`/v2/images/${id}`, { token: images.member });
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toBe(`Image ${id} is protected and cannot be deleted.`);
  });

  it('accepts a Content-Type without a body, as glanceclient sends it', async () => {
    const { id } = await images.create();
    const response = await images.client.delete(`/v2/images/${id}`, {
      token: images.member,
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    expect(response.status).toBe(204);
  });

  it('answers 404 the second time', async () => {
    const { id } = await images.create();
    await images.client.delete(`/v2/images/${id}`, { token: images.member });
    const response = await images.client.delete(`/v2/images/${id}`, { token: images.member });
    expect(response.status).toBe(404);
  });

  it('hides the image even if the store cannot remove its data yet', async () => {
    const { id } = await images.createActive('stubborn');
    images.store.failNextRemove = new Error('the disk is away');
    const response = await images.client.delete(`/v2/images/${id}`, { token: images.member });
    expect(response.status).toBe(204);
  });
});
