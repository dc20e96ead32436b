import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());

it('lists no orders, and cannot create one', async () => {
  const list = async () => (await secrets.send('GET', '/orders?limit=2&offset=0')).body;
  expect(await list()).toEqual({ orders: [], total: 0 });
  const body = { type: 'key', meta: { algorithm: 'aes', bit_length: 256 } };
  expect((await secrets.send('POST', '/orders', { body })).status).toBe(501);
  expect(await list()).toEqual({ orders: [], total: 0 });
});
