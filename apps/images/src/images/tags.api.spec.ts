import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { errorOf, TestImages } from '../images.fixture.js';

let images: TestImages;
let id: string;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());
beforeEach(async () => {
  ({ id } = await images.create({ tags: ['one'] }));
});

function add(tag: string, token = images.member): Promise<TestResponse> {
  return images.client.put(`/v2/images/${id}/tags/${encodeURIComponent(tag)}`, { token });
}

function remove(tag: string, token = images.member): Promise<TestResponse> {
  return images.client.delete(`/v2/images/${id}/tags/${encodeURIComponent(tag)}`, { token });
}

async function tags(): Promise<unknown> {
  return (await images.show(id))['tags'];
}

describe('PUT /v2/images/{image_id}/tags/{tag}', () => {
  it('adds a tag', async () => {
    const response = await add('two');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tags()).toEqual(['one', 'two']);
  });

  it('adds it once', async () => {
    await add('one');
    expect(await tags()).toEqual(['one']);
  });

  it.each(['with space', 'a/b', '🐧'.repeat(255), `'; DROP TABLE images`])(
    'takes %j',
    async (tag) => {
      expect((await add(tag)).status).toBe(204);
      expect(await tags()).toEqual(['one', tag]);
    },
  );

  it('loses none of many concurrent changes', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `tag ${at}`);
    await Promise.all(many.map((tag) => add(tag)));
    expect(new Set((await tags()) as string[])).toEqual(new Set(['one', ...many]));
  });

  it('answers 413 at the maximum, but not for an existing tag', async () => {
    const full = Array.from({ length: 127 }, (_, at) => `tag ${at}`);
    await Promise.all(full.map((tag) => add(tag)));
    const response = await add('one more');
    expect(response.status).toBe(413);
    expect(errorOf(response).message).toBe('An image may have at most 128 tags.');
    expect((await add('one')).status).toBe(204);
  });

  it.each(['x'.repeat(256), '\0'])('answers 400 to an invalid tag', async (tag) => {
    expect((await add(tag)).status).toBe(400);
  });

  it("answers 404 for an invisible image, 403 for another project's", async () => {
    expect((await add('two', images.stranger)).status).toBe(404);
    const community = await images.create({ visibility: 'community' });
    id = community.id;
    expect((await add('two', images.stranger)).status).toBe(403);
  });
});

describe('DELETE /v2/images/{image_id}/tags/{tag}', () => {
  it('removes a tag', async () => {
    expect((await remove('one')).status).toBe(204);
    expect(await tags()).toEqual([]);
  });

  it('answers 404 for a missing tag', async () => {
    const response = await remove('two');
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toBe(`Image ${id} has no tag 'two'.`);
  });

  it('answers 404 for an invisible image', async () => {
    expect((await remove('one', images.stranger)).status).toBe(404);
  });
});
