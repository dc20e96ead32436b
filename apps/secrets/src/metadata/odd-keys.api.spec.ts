import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());

/** Barbican keeps keys in lower case. */
const KEYS = ODD_KEYS.map((key) => key.toLowerCase());

it('unknown properties of a body are ignored where Barbican ignores them', async () => {
  const odd = { more: 1, ...oddMap(() => 1) };
  const send = (method: string, path: string, body: object): Promise<TestResponse> =>
    secrets.send(method, path, { body: { ...body, ...odd } });
  const made = await send('POST', '/secrets', { name: 'one' });
  const { secret_ref: ref } = made.body as { secret_ref: string };
  const path = new URL(ref).pathname.slice('/v1'.length);
  const refs = [{ name: 'a', secret_ref: ref, ...odd }];
  const container = await send('POST', '/containers', { type: 'generic', secret_refs: refs });
  const consumer = { service: 'dns', resource_type: 'zone', resource_id: '1' };
  const consumed = await send('POST', `${path}/consumers`, consumer);
  const metadata = await send('PUT', `${path}/metadata`, { metadata: { key: 'value' } });
  expect([made, container, consumed, metadata].map(({ status }) => status)).toEqual([
    201, 201, 200, 201,
  ]);
  for (const [place, body] of [
    ['acl', { read: {} }],
    ['metadata', { key: 'a', value: 'b' }],
  ] as const)
    expect((await send(place === 'acl' ? 'PUT' : 'POST', `${path}/${place}`, body)).status).toBe(
      400,
    );
});

describe('metadata with keys that every object has', () => {
  it('is kept, shown, changed and removed', async () => {
    const path = `/secrets/${await secrets.create()}/metadata`;
    const send = (method: string, key = '', body?: unknown): Promise<TestResponse> =>
      secrets.send(method, path + key, { body });
    const shown = async (): Promise<unknown> =>
      membersOf(((await send('GET')).body as { metadata: object }).metadata);
    const all = (value: string): unknown =>
      membersOf(Object.fromEntries(KEYS.map((key) => [key, value])));
    for (const key of KEYS) expect((await send('GET', `/${key}`)).status).toBe(404);
    expect((await send('PUT', '', { metadata: oddMap(() => 'one') })).status).toBe(201);
    expect(await shown()).toEqual(all('one'));
    for (const key of KEYS) {
      expect((await send('GET', `/${key}`)).body).toEqual({ key, value: 'one' });
      expect((await send('PUT', `/${key}`, { key, value: 'two' })).status).toBe(200);
    }
    expect(await shown()).toEqual(all('two'));
    for (const key of KEYS) expect((await send('DELETE', `/${key}`)).status).toBe(204);
    expect(await shown()).toEqual([]);
    for (const key of KEYS)
      expect((await send('POST', '', { key, value: 'three' })).status).toBe(201);
    expect(await shown()).toEqual(all('three'));
    expect(pollution()).toEqual([]);
  });
});
