import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { TestImages } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.on(new MemoryStore('image'), {}, true);
});
afterAll(() => images.stop());

it('an upload that ends while the database is away is reverted once it is back', async () => {
  const { id } = await images.create();
  const upload = request(`${images.client.baseUrl}/v2/images/${id}/file`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': images.member, 'Content-Type': 'application/octet-stream' },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    upload.on('response', (response) => resolve(response.resume().statusCode));
    upload.on('error', reject);
  });
  upload.write('the first half');
  await eventually('it is being saved', async () => (await images.show(id)).status === 'saving');
  await images.wire.cut();
  upload.end('and the second');
  expect(await answered).toBe(503);
  await images.wire.mend();
  await eventually('it is queued again', async () => (await images.show(id)).status === 'queued');
  await eventually('its bytes are gone', async () => (await images.objects()).length === 0);
});
