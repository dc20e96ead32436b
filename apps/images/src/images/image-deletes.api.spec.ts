/** Deleted images and their bytes. */
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages, type WireImage } from '../images.fixture.js';
import { IMAGE_STATES, insertImage } from './image-row.fixture.js';
import type { Image } from './image.entity.js';
import { ImageRepository } from './image.repository.js';
import { newImportTask, TaskRepository } from './tasks/task.repository.js';

let images: TestImages;
let ctx: RequestContext;

beforeAll(async () => {
  images = await TestImages.start();
  ctx = RequestContext.system('req-test', images.app.dataSource.manager);
});
afterAll(() => images.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

/** Fails until the end of the test. */
function takeStoreAway(): void {
  jest.spyOn(images.store, 'remove').mockRejectedValue(new Error('the disk is away'));
}

function remove(id: string, token = images.member): Promise<TestResponse> {
  return images.client.delete(`/v2/images/${id}`, { token });
}

/** Stores an object, as a long-finished upload did. */
async function putObject(): Promise<DataId> {
  const id = newDataId();
  await images.store.put(id, Readable.from([Buffer.from('bytes')]));
  return id;
}

async function stateOf(id: string): Promise<string | undefined> {
  const sql = 'SELECT state FROM images WHERE id = $1';
  const rows: { state: string }[] = await images.app.dataSource.query(sql, [id]);
  return rows[0]?.state;
}

async function untilGone({ id, dataId, stagedDataId }: Image): Promise<void> {
  await eventually('the image and its objects are gone', async () => {
    const objects = new Set(await images.objects());
    const left = [dataId, stagedDataId].filter((one) => one !== null && objects.has(one));
    return left.length === 0 && (await stateOf(id)) === undefined;
  });
}

describe('DELETE /v2/images/{image_id}', () => {
  it.each(IMAGE_STATES.filter((state) => state !== 'pending_delete'))(
    'deletes an image that is %s, including its objects',
    async (state) => {
      const image = await insertImage(ctx, {
        state,
        dataId: await putObject(),
        stagedDataId: await putObject(),
        ...(state === 'queued' ? { dataId: null, stagedDataId: null } : {}),
      });
      expect((await remove(image.id, images.admin)).status).toBe(204);
      await untilGone(image);
    },
  );

  it('hides the image from everyone even if the store cannot remove its data yet', async () => {
    const { id } = await images.createActive('stubborn');
    takeStoreAway();
    expect((await remove(id)).status).toBe(204);
    expect(await stateOf(id)).toBe('pending_delete');
    for (const token of [images.member, images.admin]) {
      const path = `/v2/images/${id}`;
      const patch = { 'Content-Type': 'application/openstack-images-v2.1-json-patch' };
      const answers = [
        await images.client.get(path, { token }),
        await images.client.get(`${path}/file`, { token }),
        await images.client.patch(path, { token, headers: patch, body: '[]' }),
        await images.client.put(`${path}/tags/one`, { token }),
        await images.client.get(`${path}/members`, { token }),
        await images.upload(id, 'other bytes', token),
        await remove(id, token),
      ];
      expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(404));
      const { body } = await images.client.get('/v2/images?visibility=all', { token });
      expect((body as { images: WireImage[] }).images.map((one) => one.id)).not.toContain(id);
    }
  });

  it("ends the image's import", async () => {
    const { id } = await insertImage(ctx, { state: 'importing' });
    const tasks = new TaskRepository();
    const task = newImportTask(ctx, asId(newId()), id, {});
    await tasks.insert(ctx, task);
    await remove(id, images.admin);
    expect(await tasks.find(ctx, task.id)).toMatchObject({
      status: 'failure',
      message: 'The image was deleted.',
      expiresAt: expect.any(Date),
    });
  });

  it('frees its quota at once', async () => {
    const projectId = newId();
    const token = await images.tokens.issue(['member'], { projectId });
    const { id } = await images.create({}, token);
    await images.upload(id, 'bytes', token);
    takeStoreAway();
    await remove(id, token);
    const { body } = await images.client.get('/v2/info/usage', { token });
    expect(body).toMatchObject({ usage: { image_count_total: { usage: 0 } } });
  });

  it('completes without another request', async () => {
    const { id } = await images.createActive('stubborn');
    const row = await new ImageRepository().find(ctx, asId(id));
    images.store.failNextRemove = new Error('the disk is away');
    await remove(id);
    await untilGone(row as Image);
  });

  it('is completed after a crash, whatever is left', async () => {
    const state = 'pending_delete';
    const both = { dataId: await putObject(), stagedDataId: await putObject() };
    const whole = await insertImage(ctx, { state, ...both });
    const half = await insertImage(ctx, { state, dataId: newDataId(), stagedDataId: null });
    const none = await insertImage(ctx, { state, dataId: null });
    for (const image of [whole, half, none]) await untilGone(image);
  });

  it('is refused for a protected image, in either order of requests', async () => {
    const { id } = await images.create();
    const protect = images.client.patch(`/v2/images/${id}`, {
      token: images.member,
      headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
      body: '[{"op": "replace", "path": "/protected", "value": true}]',
    });
    const [protection, removal] = await Promise.all([protect, remove(id)]);
    const outcome = [protection.status, removal.status];
    expect([
      [200, 403],
      [404, 204],
    ]).toContainEqual(outcome);
    const state = removal.status === 204 ? undefined : 'queued';
    await eventually('the image is gone, or stays', async () => (await stateOf(id)) === state);
  });

  it('is done once, by one of many requests', async () => {
    const { id } = await images.createActive('bytes');
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });
});

describe('an image whose data is damaged', () => {
  it('is shown with its reason, and cannot be downloaded', async () => {
    const { id } = await insertImage(ctx, { state: 'killed', visibility: 'community' });
    expect(await images.show(id, images.reader)).toMatchObject({
      status: 'killed',
      os_glance_status_reason: 'Its bytes have changed.',
    });
    for (const token of [images.reader, images.admin]) {
      const response = await images.client.get(`/v2/images/${id}/file`, { token });
      expect(response.status).toBe(409);
      expect(errorOf(response).message).toBe(
        `The data of image ${id} is damaged and is not given out.`,
      );
    }
  });

  it('is listed, also when filtering by its status', async () => {
    const { id } = await insertImage(ctx, { state: 'killed' });
    const { body } = await images.client.get('/v2/images?status=killed', { token: images.admin });
    expect((body as { images: WireImage[] }).images.map((one) => one.id)).toContain(id);
  });
});
