import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../images.fixture.js';
import { TestMetadefs, TIMESTAMP } from '../metadefs.fixture.js';

let metadefs: TestMetadefs;
let path: string;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());
beforeEach(async () => {
  path = `${await metadefs.namespace()}/resource_types`;
});

const associate = (body: unknown) => metadefs.send('POST', path, { body });

const TIMES = {
  created_at: expect.stringMatching(TIMESTAMP),
  updated_at: expect.stringMatching(TIMESTAMP),
};

describe('GET /v2/metadefs/resource_types', () => {
  it('lists well-known and associated types, once each', async () => {
    for (const name of ['OS::Nova::Server', 'OS::Heat::Stack']) {
      await associate({ name });
      await metadefs.namespace({ resource_type_associations: [{ name }] });
    }
    await metadefs.done('DELETE', `${path}/OS::Heat::Stack`);
    expect(await metadefs.get('/resource_types')).toEqual({
      resource_types: [
        { name: 'OS::Cinder::Volume', ...TIMES },
        { name: 'OS::Glance::Image', ...TIMES },
        { name: 'OS::Heat::Stack', ...TIMES },
        { name: 'OS::Nova::Aggregate', ...TIMES },
        { name: 'OS::Nova::Flavor', ...TIMES },
        { name: 'OS::Nova::Server', ...TIMES },
      ],
    });
  });
});

describe('POST /v2/metadefs/namespaces/{namespace_name}/resource_types', () => {
  it.each([
    { name: 'OS::Nova::Flavor' },
    { name: 'OS::Cinder::Volume', prefix: 'hw_', properties_target: 'image' },
  ])('associates the namespace: %j', async (body) => {
    const response = await associate(body);
    expect([response.status, response.body]).toEqual([201, { ...body, ...TIMES }]);
    expect(await metadefs.get(path)).toEqual({ resource_type_associations: [response.body] });
  });

  it('answers 409 to an existing one', async () => {
    await associate({ name: 'OS::Nova::Flavor' });
    const response = await associate({ name: 'OS::Nova::Flavor', prefix: 'hw:' });
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toContain("already has the resource type 'OS::Nova::Flavor'");
  });

  it('creates a resource type once, for many concurrent requests', async () => {
    const names = ['OS::A', 'OS::B', 'OS::C'];
    await Promise.all(
      [names, [...names].reverse(), names, [...names].reverse()].map((some) =>
        metadefs.namespace({ resource_type_associations: some.map((name) => ({ name })) }),
      ),
    );
    const { resource_types: types } = await metadefs.get('/resource_types');
    expect((types as { name: string }[]).map(({ name }) => name).slice(0, 3)).toEqual(names);
  });

  it.each([
    {},
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'a', prefix: 7 },
    { name: 'a', prefix: 'x'.repeat(81) },
    { name: 'a', properties_target: null },
    { name: 'a', colour: 'red' },
  ])('answers 400 to %j', async (body) => {
    expect((await associate(body)).status).toBe(400);
  });

  it('answers 403 to read-only properties, 404 without a namespace', async () => {
    expect((await associate({ name: 'a', created_at: 'now' })).status).toBe(403);
    path = '/namespaces/nobody/resource_types';
    expect((await associate({ name: 'a' })).status).toBe(404);
  });
});

describe('DELETE /v2/metadefs/namespaces/{namespace_name}/resource_types/{name}', () => {
  it('removes the association', async () => {
    await associate({ name: 'OS::Nova::Flavor' });
    expect((await metadefs.send('DELETE', `${path}/OS::Nova::Flavor`)).status).toBe(204);
    expect(await metadefs.get(path)).toEqual({ resource_type_associations: [] });
  });

  it('answers 404 without an association', async () => {
    const response = await metadefs.send('DELETE', `${path}/OS::Nova::Flavor`);
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toContain("has no resource type 'OS::Nova::Flavor'");
  });

  it('answers 403 for a protected namespace', async () => {
    const types = { resource_type_associations: [{ name: 'a' }] };
    path = `${await metadefs.namespace({ protected: true, ...types })}/resource_types`;
    const response = await metadefs.send('DELETE', `${path}/a`);
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toContain("its resource type 'a' cannot be deleted");
  });
});
