import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages, type WireImage } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({ imageQuota: 3, imageBytesQuota: 100 });
});
afterAll(() => images.stop());

/** A token of an empty project. */
async function newMember(): Promise<string> {
  return images.tokens.issue(['member'], { projectId: newId() });
}

/** Chunked bytes of unannounced length. */
async function uploadUnannounced(id: string, bytes: number, token: string): Promise<Response> {
  const data = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
  return fetch(`${images.client.baseUrl}/v2/images/${id}/file`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/octet-stream' },
    body: data,
    duplex: 'half',
  });
}

describe('the quota of images', () => {
  it('is exhausted by the last image, for this project only', async () => {
    const token = await newMember();
    for (let made = 0; made < 3; made += 1) await images.create({}, token);
    const refused = await images.client.post('/v2/images', { token, body: {} });
    expect(refused.status).toBe(413);
    expect(errorOf(refused)).toEqual({
      key: 'overLimit',
      code: 413,
      message: 'Quota exhausted for image_count_total: all 3 are in use',
    });
    await expect(images.create({}, await newMember())).resolves.toBeDefined();
  });

  it('does not let two requests take the last place', async () => {
    const token = await newMember();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => images.client.post('/v2/images', { token, body: {} })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  });

  it('applies to images given by an admin, and is not revealed to others', async () => {
    const owner = newId();
    const token = await images.tokens.issue(['member'], { projectId: owner });
    const given = await images.create({}, await newMember());
    const [full] = await Promise.all([0, 1, 2].map(() => images.create({}, token)));
    const give = (by: string): Promise<TestResponse> =>
      images.client.patch(`/v2/images/${given.id}`, {
        token: by,
        headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
        body: JSON.stringify([{ op: 'replace', path: '/owner', value: owner }]),
      });
    const refused = await give(images.admin);
    expect(refused.status).toBe(413);
    expect(errorOf(refused).message).toBe(
      'Quota exhausted for image_count_total: all 3 are in use',
    );
    expect(
      (await give(await images.tokens.issue(['member'], { projectId: String(given['owner']) })))
        .status,
    ).toBe(403);
    await images.client.delete(`/v2/images/${full?.id ?? ''}`, { token });
    expect((await give(images.admin)).status).toBe(200);
    expect((await give(images.admin)).status).toBe(200);
  });

  it('is freed by a delete', async () => {
    const token = await newMember();
    const made: WireImage[] = [];
    for (let at = 0; at < 3; at += 1) made.push(await images.create({}, token));
    await images.client.delete(`/v2/images/${made[0]?.id ?? ''}`, { token });
    await expect(images.create({}, token)).resolves.toBeDefined();
  });
});

describe('the quota of bytes', () => {
  it('refuses an upload larger than the rest', async () => {
    const token = await newMember();
    const first = await images.create({}, token);
    const second = await images.create({}, token);
    expect((await images.upload(first.id, 'x'.repeat(60), token)).status).toBe(204);
    const refused = await images.upload(second.id, 'x'.repeat(41), token);
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toEqual({
      key: 'forbidden',
      code: 403,
      message: 'Quota exceeded for image_size_total: requested 41, 40 of 100 left',
    });
    expect((await images.upload(second.id, 'x'.repeat(40), token)).status).toBe(204);
  });

  it('refuses every byte once none is left', async () => {
    const token = await newMember();
    const first = await images.create({}, token);
    const second = await images.create({}, token);
    await images.upload(first.id, 'x'.repeat(100), token);
    expect((await images.upload(second.id, 'x', token)).status).toBe(413);
    expect((await uploadUnannounced(second.id, 1, token)).status).toBe(413);
  });

  it('counts unannounced bytes as they arrive', async () => {
    const token = await newMember();
    const { id } = await images.create({}, token);
    expect((await uploadUnannounced(id, 101, token)).status).toBe(403);
    expect((await images.show(id)).status).toBe('queued');
    expect((await uploadUnannounced(id, 100, token)).status).toBe(204);
  });

  it('is not exceeded by two concurrent uploads', async () => {
    const token = await newMember();
    const made = [await images.create({}, token), await images.create({}, token)];
    const answers = await Promise.all(
      made.map(({ id }) => images.upload(id, 'x'.repeat(60), token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  });

  it('counts for the project that owns the image, whoever uploads', async () => {
    const projectId = newId();
    const token = await images.tokens.issue(['member'], { projectId });
    const first = await images.create({}, token);
    const second = await images.create({}, token);
    await images.upload(first.id, 'x'.repeat(60), images.admin);
    expect((await images.upload(second.id, 'x'.repeat(60), token)).status).toBe(403);
  });
});

describe('the quota of staged bytes', () => {
  const stage = async (bytes: number, token: string): Promise<number> => {
    const { id } = await images.create({}, token);
    const { status } = await images.client.put(`/v2/images/${id}/stage`, {
      token,
      body: 'x'.repeat(bytes),
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    return status;
  };

  it('defaults to the quota of bytes', async () => {
    const token = await newMember();
    expect(await stage(101, token)).toBe(403);
    expect(await stage(60, token)).toBe(204);
    expect(await stage(41, token)).toBe(403);
  });
});
