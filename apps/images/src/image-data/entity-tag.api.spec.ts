import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { TestImages } from '../images.fixture.js';

let images: TestImages;
let path: string;
let entityTag: string;

beforeAll(async () => {
  images = await TestImages.start();
  const { id, os_hash_value: hash } = await images.createActive('0123456789');
  path = `/v2/images/${id}/file`;
  entityTag = `"${String(hash)}"`;
});
afterAll(() => images.stop());

function download(headers: Record<string, string>, method = 'GET'): Promise<TestResponse> {
  return images.client.send(method, path, { token: images.member, headers });
}

it.each(['GET', 'HEAD'])('%s answers 304 to a client that has the data', async (method) => {
  const response = await download({ 'If-None-Match': entityTag, Range: 'bytes=0-1' }, method);
  expect([response.status, response.text]).toEqual([304, '']);
  expect(response.headers.get('etag')).toBe(entityTag);
});

it('all of the data is sent if If-None-Match names other data', async () => {
  const response = await download({ 'If-None-Match': '"other"' });
  expect([response.status, response.text]).toEqual([200, '0123456789']);
});

it('a part is sent if If-Range names the data', async () => {
  const response = await download({ Range: 'bytes=2-4', 'If-Range': entityTag });
  expect([response.status, response.text]).toEqual([206, '234']);
  expect(response.headers.get('etag')).toBe(entityTag);
});

it.each([
  ['bytes=2-4', '"other"'],
  ['bytes=2-4', 'Sat, 29 Oct 1994 19:43:31 GMT'],
  ['bytes=10-', '"other"'],
])('the whole is sent instead of %s when If-Range is %s', async (range, ifRange) => {
  const response = await download({ Range: range, 'If-Range': ifRange });
  expect([response.status, response.text]).toEqual([200, '0123456789']);
  expect(response.headers.get('content-range')).toBeNull();
});
