import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { TestImages } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());

describe('POST /v2/images with an Idempotency-Key', () => {
  const create = (key: string, body: object, token = images.member) =>
    images.client.post('/v2/images', { token, body, headers: { 'Idempotency-Key': key } });

  it('repeats the answer with all its headers', async () => {
    const key = newId();
    const first = await create(key, { name: 'once', disk_format: 'raw' });
    const again = await create(key, { disk_format: 'raw', name: 'once' });
    expect([again.status, again.text]).toEqual([201, first.text]);
    for (const name of [
      'Location',
      'OpenStack-image-import-methods',
      'OpenStack-image-store-ids',
    ]) {
      expect(first.headers.get(name)).toMatch(/\w/);
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
  });

  it('answers a retry with its own image, not with a conflict', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const key = newId();
    expect((await create(key, { id })).status).toBe(201);
    expect((await create(key, { id })).status).toBe(201);
    expect((await create(newId(), { id })).status).toBe(409);
  });

  it('does not apply to a member of the image', async () => {
    const key = newId();
    const { body } = await create(key, { visibility: 'shared' });
    const path = `/v2/images/${(body as { id: string }).id}/members`;
    const add = (member: string) =>
      images.client.post(path, {
        token: images.member,
        body: { member },
        headers: { 'Idempotency-Key': key },
      });
    const first = await add('one');
    expect([first.status, (await add('one')).text]).toEqual([200, first.text]);
    expect((await add('two')).status).toBe(422);
  });
});
