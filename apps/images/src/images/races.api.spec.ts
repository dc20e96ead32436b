/** Concurrent requests for one image: each succeeds as if alone, or reports that it lost. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from '../images.fixture.js';
import { DIRECT, importInto, stage } from '../imports/imports.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({ imageQuota: -1, imageUploadQuota: -1 });
});
afterAll(() => images.stop());

type Request = (id: string) => Promise<TestResponse>;

const patch: Request = (id) =>
  images.client.patch(`/v2/images/${id}`, {
    token: images.member,
    headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
    body: '[{"op": "add", "path": "/a", "value": "b"}]',
  });
const upload: Request = (id) => images.upload(id, 'a raw disk');
const remove: Request = (id) => images.client.delete(`/v2/images/${id}`, { token: images.member });
const tag: Request = (id) => images.client.put(`/v2/images/${id}/tags/x`, { token: images.member });
const act =
  (action: string): Request =>
  (id) =>
    images.client.post(`/v2/images/${id}/actions/${action}`, { token: images.member });

/** The possible answers to each, in any order. */
const REQUESTS: readonly (readonly [Request, readonly number[]])[] = [
  [remove, [204]],
  [patch, [200, 404]],
  [tag, [204, 404]],
  [act('deactivate'), [204, 403, 404]],
  [act('reactivate'), [204, 403, 404]],
];

const ROUNDS = Array.from({ length: 15 }, (_, round) => round);

/** Sends all at once, in a different order each time. */
async function expectAnswers(
  id: string,
  round: number,
  requests: readonly (readonly [Request, readonly number[]])[],
): Promise<void> {
  const at = round % requests.length;
  const turned = [...requests.slice(at), ...requests.slice(0, at)];
  const answers = await Promise.all(turned.map(([request]) => request(id)));
  for (const [index, { status, text }] of answers.entries()) {
    expect({ status, text, isOf: turned[index]?.[1].includes(status) }).toMatchObject({
      isOf: true,
    });
  }
}

async function expectNothingLeft(ids: readonly string[]): Promise<void> {
  await eventually('no object is left', async () => (await images.objects()).length === 0);
  for (const id of ids) {
    const { status } = await images.client.get(`/v2/images/${id}`, { token: images.member });
    expect(status).toBe(404);
  }
}

describe('a concurrent delete leaves nothing', () => {
  it('during an upload', async () => {
    const ids = await Promise.all(ROUNDS.map(async () => (await images.create()).id));
    const two = [upload, upload].map((one) => [one, [204, 404, 409, 410]] as const);
    await Promise.all(ids.map((id, round) => expectAnswers(id, round, [...REQUESTS, ...two])));
    await expectNothingLeft(ids);
  });

  it('during staging', async () => {
    const ids = await Promise.all(ROUNDS.map(async () => (await images.create()).id));
    const staged: Request = (id) => stage(images, id, 'a raw disk');
    const two = [staged, upload].map((one) => [one, [204, 404, 409, 410]] as const);
    await Promise.all(ids.map((id, round) => expectAnswers(id, round, [...REQUESTS, ...two])));
    await expectNothingLeft(ids);
  });

  it('during an import', async () => {
    const ids = await Promise.all(
      ROUNDS.map(async () => {
        const { id } = await images.create();
        await stage(images, id, 'a raw disk');
        return id;
      }),
    );
    const begin: Request = (id) => importInto(images, id, DIRECT);
    const two = [begin, begin].map((one) => [one, [202, 404, 409]] as const);
    await Promise.all(ids.map((id, round) => expectAnswers(id, round, [...REQUESTS, ...two])));
    await expectNothingLeft(ids);
  });
});
