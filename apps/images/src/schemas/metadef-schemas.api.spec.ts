import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COLOUR, TestMetadefs, type Wire } from '../metadefs/metadefs.fixture.js';

let metadefs: TestMetadefs;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());

async function schema(name: string): Promise<Wire> {
  const { client, reader: token } = metadefs.images;
  return (await client.get(`/v2/schemas/metadefs/${name}`, { token })).body as Wire;
}

const NAMES = [
  { one: 'namespace', many: 'namespaces', title: 'namespace', titles: 'namespaces' },
  { one: 'object', many: 'objects', title: 'object', titles: 'objects' },
  { one: 'tag', many: 'tags', title: 'tag', titles: 'tags' },
  {
    one: 'resource_type',
    many: 'resource_types',
    title: 'resource_type_association',
    titles: 'resource_type_associations',
  },
];

describe('schemas of metadata definitions', () => {
  it.each(NAMES)('describe $one and $many', async ({ one, many, title, titles }) => {
    const { definitions, ...item } = await schema(one);
    expect(item).toMatchObject({ name: title, additionalProperties: false });
    const list = await schema(many);
    expect(list).toMatchObject({
      name: titles,
      properties: { [titles]: { type: 'array', items: item }, next: { type: 'string' } },
      links: [{ rel: 'first' }, { rel: 'next' }, { rel: 'describedby' }],
    });
    expect(list['definitions']).toEqual(definitions);
  });

  it('describe properties, keyed by name', async () => {
    const property = await schema('property');
    expect(property).toMatchObject({ name: 'property', required: ['type', 'title', 'name'] });
    expect(await schema('properties')).toMatchObject({
      name: 'properties',
      properties: {
        properties: {
          type: 'object',
          additionalProperties: {
            properties: property['properties'],
            required: ['type', 'title'],
          },
        },
      },
    });
  });

  it.each(['namespace', 'object', 'property'])(
    'refer only to their own definitions: %s',
    async (name) => {
      const document = await schema(name);
      const references = JSON.stringify(document).matchAll(/"#\/definitions\/(\w+)"/g);
      const named = new Set([...references].map(([, reference]) => reference));
      expect(Object.keys(document['definitions'] as object)).toEqual(
        expect.arrayContaining([...named]),
      );
    },
  );

  it('describe all shown properties', async () => {
    const path = await metadefs.namespace({
      display_name: 'Full',
      description: 'full',
      resource_type_associations: [{ name: 'a', prefix: 'b', properties_target: 'c' }],
      properties: { colour: COLOUR },
      objects: [{ name: 'one', description: 'one' }],
      tags: [{ name: 'one' }],
    });
    const [associations] = Object.values(await metadefs.get(`${path}/resource_types`));
    const shown: [string, object][] = [
      ['namespace', await metadefs.get(path)],
      ['object', await metadefs.get(`${path}/objects/one`)],
      ['property', await metadefs.get(`${path}/properties/colour`)],
      ['tag', await metadefs.get(`${path}/tags/one`)],
      ['resource_type', (associations as object[])[0] as object],
    ];
    for (const [name, fields] of shown) {
      const { properties } = await schema(name);
      expect(Object.keys(properties as object)).toEqual(
        expect.arrayContaining(Object.keys(fields)),
      );
    }
  });
});
