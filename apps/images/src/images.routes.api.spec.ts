/** Common to all routes: authorisation, headers, error bodies. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, TestImages } from './images.fixture.js';

const ID = '00000000-0000-4000-8000-00000000dead';
const REQUEST_ID = /^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());

describe('every error', () => {
  const bad = [
    { status: 400, key: 'badRequest', method: 'GET', path: '/v2/images?limit=x' },
    { status: 404, key: 'itemNotFound', method: 'GET', path: `/v2/images/${ID}` },
    { status: 404, key: 'itemNotFound', method: 'GET', path: '/v2/images/' },
    { status: 404, key: 'itemNotFound', method: 'DELETE', path: '/v2/images/' },
    { status: 404, key: 'itemNotFound', method: 'GET', path: '/v2/nosuch' },
    { status: 404, key: 'itemNotFound', method: 'GET', path: '/'.padEnd(300, 'x') },
    { status: 405, key: 'methodNotAllowed', method: 'PUT', path: `/v2/images/${ID}` },
    {
      status: 403,
      key: 'forbidden',
      method: 'POST',
      path: '/v2/images',
      body: { visibility: 'public' },
    },
    {
      status: 415,
      key: 'unsupportedMediaType',
      method: 'PUT',
      path: `/v2/images/${ID}/file`,
      body: {},
    },
  ];

  it.each(bad)('of status $status has the outer key $key: $method $path', async (row) => {
    const { status, key, method, path, body } = { body: undefined, ...row };
    const response = await images.client.send(method, path, { token: images.member, body });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(response.body as object)).toEqual([key]);
    const { code, message } = errorOf(response);
    expect(code).toBe(status);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(response.text).not.toMatch(/<|stack|node_modules|SELECT/);
  });

  it('lists the methods of a path', async () => {
    const response = await images.client.put('/v2/images', { token: images.member, body: {} });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

describe('every answer', () => {
  it('carries the request ID on success', async () => {
    const { headers } = await images.client.get('/v2/images', { token: images.member });
    expect(headers.get('x-platform-request-id')).toMatch(REQUEST_ID);
  });

  it('carries the request ID with image data', async () => {
    const { id } = await images.createActive('data');
    const { headers } = await images.client.get(`/v2/images/${id}/file`, { token: images.member });
    expect(headers.get('x-platform-request-id')).toMatch(REQUEST_ID);
    expect(headers.get('x-openstack-request-id')).toMatch(REQUEST_ID);
  });
});

describe('version discovery', () => {
  it('is public, as choices at the root and as a list elsewhere', async () => {
    const choices = await images.client.get('/');
    const list = await images.client.get('/versions');
    const versioned = await images.client.get('/v2/');
    expect([choices.status, list.status, versioned.status]).toEqual([300, 200, 200]);
    expect(choices.body).toEqual(list.body);
    expect(versioned.body).toEqual(list.body);
    const { versions } = list.body as { versions: { id: string; status: string }[] };
    expect(versions.filter(({ status }) => status === 'CURRENT')).toEqual([
      {
        id: 'v2.18',
        status: 'CURRENT',
        links: [{ rel: 'self', href: `${images.client.baseUrl}/v2/` }],
      },
    ]);
    expect(versions.at(-1)?.id).toBe('v2.0');
    expect(versions.map(({ id }) => id)).toContain('v2.8');
  });
});

describe('schemas', () => {
  it('describe an image and a list of them', async () => {
    const image = await images.client.get('/v2/schemas/image', { token: images.reader });
    expect(image.body).toMatchObject({
      name: 'image',
      additionalProperties: { type: 'string' },
      properties: {
        name: { type: ['null', 'string'], maxLength: 255 },
        status: { readOnly: true },
        kernel_id: { is_base: false },
      },
    });
    const list = await images.client.get('/v2/schemas/images', { token: images.reader });
    expect(list.body).toMatchObject({
      name: 'images',
      properties: { images: { type: 'array', items: image.body as object } },
    });
  });

  it('know every attribute of an image', async () => {
    const { body } = await images.client.get('/v2/schemas/image', { token: images.reader });
    const { properties } = body as { properties: object };
    const shown = await images.createActive('data');
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(shown)));
  });

  it.each(['member', 'task'])('describe a %s and a list of them', async (name) => {
    const one = await images.client.get(`/v2/schemas/${name}`, { token: images.reader });
    const list = await images.client.get(`/v2/schemas/${name}s`, { token: images.reader });
    expect(one.body).toMatchObject({ name, properties: { status: { type: 'string' } } });
    expect(list.body).toMatchObject({
      name: `${name}s`,
      properties: { [`${name}s`]: { type: 'array', items: { name } } },
      links: [{ rel: 'describedby', href: '{schema}' }],
    });
  });
});
