import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { errorOf, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;
let path: string;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());
beforeEach(async () => {
  path = `/secrets/${await secrets.create()}/metadata`;
});

const send = (method: string, key = '', body?: unknown): Promise<TestResponse> =>
  secrets.send(method, path + key, { body });
const shown = async (): Promise<unknown> => (await send('GET')).body;

describe("a secret's metadata", () => {
  it('is empty at first, and is replaced as a whole', async () => {
    expect(await shown()).toEqual({ metadata: {} });
    const answer = await send('PUT', '', { metadata: { Colour: 'red', 'a-b_1': '' } });
    const ref = `${secrets.client.baseUrl}/v1${path}`;
    expect([answer.status, answer.body]).toEqual([201, { metadata_ref: ref }]);
    expect(await shown()).toEqual({ metadata: { colour: 'red', 'a-b_1': '' } });
    await send('PUT', '', { metadata: { size: 'small' } });
    expect(await shown()).toEqual({ metadata: { size: 'small' } });
  });

  it('is added to, shown, changed and removed by key', async () => {
    const added = await send('POST', '', { key: 'Colour', value: 'red' });
    expect([added.status, added.body]).toEqual([201, { key: 'colour', value: 'red' }]);
    expect(added.headers.get('Location')).toBe(`${secrets.client.baseUrl}/v1${path}/colour`);
    expect((await send('GET', '/Colour')).body).toEqual({ key: 'colour', value: 'red' });
    const changed = await send('PUT', '/colour', { key: 'colour', value: 'blue' });
    expect([changed.status, changed.body]).toEqual([200, { key: 'colour', value: 'blue' }]);
    expect((await send('DELETE', '/colour')).status).toBe(204);
    expect(await shown()).toEqual({ metadata: {} });
  });

  it('does not lose concurrent changes', async () => {
    const keys = Array.from({ length: 12 }, (_, at) => `k${at}`);
    await Promise.all(keys.map((key) => send('POST', '', { key, value: key })));
    expect(await shown()).toEqual({ metadata: Object.fromEntries(keys.map((key) => [key, key])) });
  });

  it('has each key once', async () => {
    await send('POST', '', { key: 'colour', value: 'red' });
    const answer = await send('POST', '', { key: 'COLOUR', value: 'blue' });
    expect(errorOf(answer)).toEqual([409, expect.stringContaining(`key 'colour' already`)]);
    expect(await shown()).toEqual({ metadata: { colour: 'red' } });
  });

  it('does not have the keys of objects', async () => {
    for (const key of ['/colour', '/constructor', '/__proto__']) {
      expect((await send('GET', key)).status).toBe(404);
      expect((await send('PUT', key, { key: key.slice(1), value: 'x' })).status).toBe(404);
      expect((await send('DELETE', key)).status).toBe(404);
    }
  });

  it('cannot be renamed', async () => {
    await send('POST', '', { key: 'colour', value: 'red' });
    const answer = await send('PUT', '/colour', { key: 'size', value: 'small' });
    expect(errorOf(answer)).toEqual([
      409,
      expect.stringContaining(`'size' is not the key 'colour'`),
    ]);
  });

  const many = Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`k${at}`, '']));

  it.each<[string, string, unknown, string]>([
    ['PUT', 'a key with a space', { metadata: { 'a b': '' } }, `has the key "a b", which is not`],
    ['PUT', 'a key with a slash', { metadata: { 'a/b': '' } }, 'has the key "a/b"'],
    ['PUT', 'an empty key', { metadata: { '': '' } }, 'has the key ""'],
    ['PUT', 'a long key', { metadata: { ['k'.repeat(256)]: '' } }, 'letters, digits'],
    [
      'PUT',
      'a number',
      { metadata: { k: 7 } },
      'must have a string of at most 255 characters at "k"',
    ],
    ['PUT', 'a long value', { metadata: { k: 'x'.repeat(256) } }, 'at most 255 characters'],
    ['PUT', 'keys that differ by case', { metadata: { k: '', K: '' } }, 'has "K" twice'],
    ['PUT', 'too many keys', { metadata: many }, 'more than 128 keys'],
    ['PUT', 'a list', { metadata: [] }, 'metadata must be an object'],
    ['PUT', 'nothing', {}, 'metadata is required'],
    ['POST', 'a key with a dot', { key: 'a.b', value: '' }, 'key must consist of letters, digits'],
    ['POST', 'no key', { value: '' }, 'key is required'],
    ['POST', 'no value', { key: 'k' }, 'value is required'],
    ['POST', 'another property', { key: 'k', value: '', more: 1 }, 'more is not a property'],
  ])('%s refuses %s, and changes nothing', async (method, _what, body, message) => {
    expect(errorOf(await send(method, '', body))).toEqual([400, expect.stringContaining(message)]);
    expect(await shown()).toEqual({ metadata: {} });
  });
});
