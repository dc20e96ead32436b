import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../images.fixture.js';
import { COLOUR, TestMetadefs } from '../metadefs.fixture.js';

let metadefs: TestMetadefs;
let path: string;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());
beforeEach(async () => {
  path = `${await metadefs.namespace()}/properties`;
});

const create = (body: unknown) => metadefs.send('POST', path, { body });

/** A property with all fields. */
const WHOLE = {
  name: 'hypervisor_type',
  title: 'Hypervisor type',
  type: 'array',
  description: 'What runs it.',
  operators: ['<in>', '<or>'],
  default: ['kvm', { deep: [null, 1.5, true] }],
  readonly: true,
  confidential: false,
  required: ['title'],
  minimum: -1.5,
  maximum: 18_446_744_073_709,
  enum: ['kvm', 'qemu', 3, true],
  pattern: '^[a-z]+$',
  minLength: 0,
  maxLength: 20,
  items: { type: 'string', enum: ['kvm', 'qemu'] },
  uniqueItems: true,
  minItems: 1,
  maxItems: 4,
  additionalItems: false,
};

describe('POST /v2/metadefs/namespaces/{namespace_name}/properties', () => {
  it.each([WHOLE, { name: '🐧'.repeat(80), ...COLOUR }, { name: 'b', ...COLOUR, default: null }])(
    'creates a property, and shows it as sent: %j',
    async (body) => {
      const response = await create(body);
      expect([response.status, response.body]).toEqual([201, body]);
      expect(await metadefs.get(`${path}/${encodeURIComponent(body.name)}`)).toEqual(body);
    },
  );

  it('accepts names of Object.prototype', async () => {
    const own = { valueOf: 1, toString: 2, hasOwnProperty: 3, then: 4 };
    const body = { name: 'valueOf', ...COLOUR, default: own };
    expect((await create(body)).body).toEqual(body);
    const contents = { valueOf: COLOUR, toString: COLOUR, then: COLOUR };
    path = `${await metadefs.namespace({ properties: contents })}/properties`;
    expect(await metadefs.get(path)).toEqual({ properties: contents });
  });

  it('answers 409 for an existing name', async () => {
    await create({ name: 'colour', ...COLOUR });
    const response = await create({ name: 'colour', ...COLOUR });
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toContain("already has the property 'colour'");
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: 'x'.repeat(81) }],
    ['title', { title: undefined }],
    ['type', { type: undefined }],
    ['type', { type: 'colour' }],
    ['type', { type: null }],
    ['description', { description: 7 }],
    ['operators', { operators: '<in>' }],
    ['default', { default: { deep: 'a\0' } }],
    ['default', { default: { 'a\0': 1 } }],
    ['readonly', { readonly: 'yes' }],
    ['required', { required: ['a', 'a'] }],
    ['minimum', { minimum: '1' }],
    ['maximum', { maximum: null }],
    ['enum', { enum: 'red' }],
    ['enum', { enum: [{}] }],
    ['pattern', { pattern: 1 }],
    ['minLength', { minLength: -1 }],
    ['maxLength', { maxLength: 1.5 }],
    ['items', { items: 'string' }],
    ['items.type', { items: {} }],
    ['items.colour', { items: { type: 'string', colour: 1 } }],
    ['uniqueItems', { uniqueItems: 1 }],
    ['minItems', { minItems: '1' }],
    ['maxItems', { maxItems: -1 }],
    ['additionalItems', { additionalItems: {} }],
    ['colour', { colour: 'red' }],
  ])('answers 400 to a wrong %s: %j', async (field, change) => {
    const response = await create({ name: 'a', ...COLOUR, ...change });
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(`${field} `);
  });

  it('answers 403 to read-only properties, 404 without a namespace', async () => {
    const body = { name: 'a', ...COLOUR };
    expect((await create({ ...body, updated_at: 'now' })).status).toBe(403);
    const answer = await metadefs.send('POST', '/namespaces/nobody/properties', { body });
    expect(answer.status).toBe(404);
  });
});

describe('GET /v2/metadefs/namespaces/{namespace_name}/properties', () => {
  it('lists them by name', async () => {
    expect(await metadefs.get(path)).toEqual({ properties: {} });
    await create(WHOLE);
    await create({ name: 'colour', ...COLOUR });
    const { name, ...schema } = WHOLE;
    expect(await metadefs.get(path)).toEqual({ properties: { [name]: schema, colour: COLOUR } });
  });
});

describe('a property read for a resource type', () => {
  const associations = [{ name: 'OS::Glance::Image', prefix: 'hw_' }, { name: 'OS::Nova::Flavor' }];

  beforeEach(async () => {
    path = `${await metadefs.namespace({ resource_type_associations: associations })}/properties`;
    await create({ name: 'colour', ...COLOUR });
  });

  it('is found by its prefixed name', async () => {
    expect(await metadefs.get(`${path}/hw_colour?resource_type=OS::Glance::Image`)).toEqual({
      name: 'colour',
      ...COLOUR,
    });
  });

  it.each([
    ['colour', 'OS::Glance::Image', "it must start with 'hw_'"],
    ['hw_size', 'OS::Glance::Image', "has no property 'size'"],
    ['hw_colour', 'OS::Nova::Flavor', 'names have no prefix'],
    ['hw_colour', 'OS::No::Such', "has no resource type 'OS::No::Such'"],
  ])('answers 404 for %s and %s', async (name, type, message) => {
    const response = await metadefs.send('GET', `${path}/${name}?resource_type=${type}`);
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toContain(message);
  });
});

describe('a property by its name', () => {
  it('is replaced as a whole, including its name', async () => {
    await create({ ...WHOLE, name: 'old' });
    const body = { name: 'new', ...COLOUR };
    const response = await metadefs.send('PUT', `${path}/old`, { body });
    expect([response.status, response.body]).toEqual([200, body]);
    expect(await metadefs.get(path)).toEqual({ properties: { new: COLOUR } });
  });

  it('answers 409 if another has the new name, and 400 to an invalid body', async () => {
    await create({ name: 'one', ...COLOUR });
    await create({ name: 'two', ...COLOUR });
    const put = (body: object) => metadefs.send('PUT', `${path}/one`, { body });
    expect((await put({ name: 'two', ...COLOUR })).status).toBe(409);
    expect((await put({ name: 'one' })).status).toBe(400);
  });

  it('is deleted, unless the namespace is protected', async () => {
    await create({ name: 'one', ...COLOUR });
    expect((await metadefs.send('DELETE', `${path}/one`)).status).toBe(204);
    path = `${await metadefs.namespace({ protected: true, properties: { one: COLOUR } })}/properties`;
    const response = await metadefs.send('DELETE', `${path}/one`);
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toContain("its property 'one' cannot be deleted");
    expect((await metadefs.send('DELETE', path)).status).toBe(403);
    expect(await metadefs.get(path)).toEqual({ properties: { one: COLOUR } });
  });

  it.each(['GET', 'PUT', 'DELETE'])('answers 404 to %s of a missing one', async (method) => {
    const body = method === 'PUT' ? { name: 'a', ...COLOUR } : undefined;
    const response = await metadefs.send(method, `${path}/none`, { body });
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toMatch(/^Namespace 'ns .*' has no property 'none'\.$/);
  });

  it('is deleted with all others', async () => {
    await create({ name: 'one', ...COLOUR });
    await create({ name: 'two', ...COLOUR });
    expect((await metadefs.send('DELETE', path)).status).toBe(204);
    expect(await metadefs.get(path)).toEqual({ properties: {} });
  });
});
