import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { TestImages } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());
afterEach(() => expect(pollution()).toEqual([]));

/** The oddly named properties of an answer. */
const oddIn = (image: unknown): unknown =>
  membersOf(image).filter(([name]) => ODD_KEYS.includes(name));
const all = oddMap((key) => `of ${key}`);

describe('properties named like members of Object.prototype', () => {
  it('are kept, shown, listed, filtered by, changed and removed', async () => {
    const { client, member: token } = images;
    const { id } = await images.create(all);
    const path = `/v2/images/${id}`;
    expect(oddIn((await client.get(path, { token })).body)).toEqual(membersOf(all));
    for (const key of ODD_KEYS) {
      const list = await client.get(`/v2/images?${key}=of%20${key}`, { token });
      const { images: found } = list.body as { images: unknown[] };
      expect([key, found.map(oddIn)]).toEqual([key, [membersOf(all)]]);
    }
    const patch = (changes: object[]) =>
      client.patch(path, {
        token,
        body: changes,
        headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
      });
    const replaced = await patch(
      ODD_KEYS.map((key) => ({ op: 'replace', path: `/${key}`, value: 'other' })),
    );
    expect(oddIn(replaced.body)).toEqual(membersOf(oddMap(() => 'other')));
    const removed = await patch(ODD_KEYS.map((key) => ({ op: 'remove', path: `/${key}` })));
    expect([removed.status, oddIn(removed.body)]).toEqual([200, []]);
  });
});

describe('definitions named like members of Object.prototype', () => {
  it('are kept in a namespace', async () => {
    const definition = { title: 'A', type: 'string', default: oddMap((key) => key) };
    const body = { namespace: 'odd', properties: oddMap(() => definition) };
    const token = images.admin;
    const made = await images.client.post('/v2/metadefs/namespaces', { token, body });
    expect(made.status).toBe(201);
    const shown = await images.client.get('/v2/metadefs/namespaces/odd/properties', { token });
    const { properties } = shown.body as { properties: Record<string, { default: object }> };
    expect(Object.keys(properties).sort()).toEqual([...ODD_KEYS].sort());
    for (const [, one] of membersOf(properties))
      expect(membersOf((one as { default: object }).default)).toEqual(
        membersOf(definition.default),
      );
  });
});
