import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../images.fixture.js';
import { COLOUR, TestMetadefs, TIMESTAMP } from '../metadefs.fixture.js';

let metadefs: TestMetadefs;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());

const CONTENTS = {
  resource_type_associations: [
    { name: 'OS::Glance::Image', prefix: 'hw_' },
    { name: 'OS::Nova::Flavor' },
  ],
  properties: { colour: COLOUR, size: { title: 'Size', type: 'integer', minimum: 0 } },
  objects: [{ name: 'paint', required: ['colour'], properties: { colour: COLOUR } }],
  tags: [{ name: 'one' }, { name: 'two' }],
};

describe('a namespace created with contents', () => {
  it('shows them in the answer, and whenever it is read', async () => {
    const body = { namespace: 'full', visibility: 'public', ...CONTENTS };
    const response = await metadefs.send('POST', '/namespaces', { body });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject(CONTENTS);
    expect(await metadefs.get('/namespaces/full')).toEqual(response.body);
    expect((response.body as typeof CONTENTS).objects).toEqual([
      {
        ...CONTENTS.objects[0],
        self: '/v2/metadefs/namespaces/full/objects/paint',
        schema: '/v2/schemas/metadefs/object',
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
      },
    ]);
  });

  it("can be created from another's answer", async () => {
    const shown = await metadefs.get(await metadefs.namespace(CONTENTS));
    const { self: _self, schema: _schema, created_at: _c, updated_at: _u, ...rest } = shown;
    const path = await metadefs.namespace({ ...rest, namespace: 'copy' });
    expect(await metadefs.get(path)).toMatchObject(CONTENTS);
  });

  it.each([
    ['object', { objects: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }],
    ['tag', { tags: [{ name: 'a' }, { name: 'a' }] }],
    ['resource type', { resource_type_associations: [{ name: 'a' }, { name: 'a' }] }],
  ])('answers 409 to one %s twice, and makes nothing', async (kind, contents) => {
    const body = { namespace: 'twice', ...contents };
    const response = await metadefs.send('POST', '/namespaces', { body });
    expect(errorOf(response)).toMatchObject({
      code: 409,
      message: `Namespace 'twice' already has the ${kind} 'a'.`,
    });
    expect((await metadefs.send('GET', '/namespaces/twice')).status).toBe(404);
  });

  it.each([
    ['objects', 'name', { objects: [{ description: 'nameless' }] }],
    ['objects', 'title', { objects: [{ name: 'a', properties: { b: { type: 'string' } } }] }],
    ['properties', 'colour.type', { properties: { colour: { title: 'a', type: 'red' } } }],
    ['properties', 'colour', { properties: { colour: 'red' } }],
    ['properties', 'names of 1 to 80 characters', { properties: { '': COLOUR } }],
    ['properties', 'must be an object', { properties: [COLOUR] }],
    ['tags', 'name', { tags: [{ name: 'x'.repeat(81) }] }],
    ['resource_type_associations', 'prefix', { resource_type_associations: [{ prefix: 7 }] }],
  ])('answers 400 to %s without a right %s', async (field, what, contents) => {
    const body = { namespace: 'bad', ...contents };
    const response = await metadefs.send('POST', '/namespaces', { body });
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(field);
    expect(errorOf(response).message).toContain(what);
  });
});

describe('a namespace read for a resource type', () => {
  const read = async (query: string) =>
    metadefs.get(`${await metadefs.namespace(CONTENTS)}?${query}`);

  it('prefixes the names of properties', async () => {
    const { properties, objects } = await read('resource_type=OS::Glance::Image');
    expect(properties).toEqual({
      hw_colour: COLOUR,
      hw_size: CONTENTS.properties.size,
    });
    expect(objects).toMatchObject([
      { name: 'paint', required: ['hw_colour'], properties: { hw_colour: COLOUR } },
    ]);
  });

  it.each(['resource_type=OS::Nova::Flavor', 'resource_type=OS::No::Such', 'resource_type='])(
    'has no prefix for %s',
    async (query) => {
      expect(await read(query)).toMatchObject(CONTENTS);
    },
  );
});
