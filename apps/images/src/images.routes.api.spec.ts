/** What every route of the service has in common: who may call it, headers, error bodies. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routesOf, type Route } from '@cumulet/common/http/route-table';
import { authorisationSuite } from '@cumulet/testing/authorisation-suite';
import { UNSUPPORTED_OPERATIONS } from './http/unsupported-operations.js';
import { errorOf, TestImages } from './images.fixture.js';
import { METADEF_ROUTES } from './metadefs/metadef-routes.fixture.js';

const ID = '00000000-0000-4000-8000-00000000dead';
const REQUEST_ID = /^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const IMAGE = '/v2/images/{image_id}';
const MEMBER = `${IMAGE}/members/{member_id}`;

/** Known before the app starts, so that each is a test of its own; one test compares. */
const routes: Route[] = [
  { method: 'GET', path: '/v2/images', access: { kind: 'role', role: 'reader' } },
  { method: 'POST', path: '/v2/images', access: { kind: 'role', role: 'member' } },
  { method: 'GET', path: IMAGE, access: { kind: 'role', role: 'reader' } },
  { method: 'PATCH', path: IMAGE, access: { kind: 'role', role: 'member' } },
  { method: 'DELETE', path: IMAGE, access: { kind: 'role', role: 'member' } },
  { method: 'POST', path: `${IMAGE}/actions/deactivate`, access: { kind: 'role', role: 'member' } },
  { method: 'POST', path: `${IMAGE}/actions/reactivate`, access: { kind: 'role', role: 'member' } },
  { method: 'GET', path: `${IMAGE}/file`, access: { kind: 'role', role: 'reader' } },
  { method: 'PUT', path: `${IMAGE}/file`, access: { kind: 'role', role: 'member' } },
  { method: 'POST', path: `${IMAGE}/import`, access: { kind: 'role', role: 'member' } },
  { method: 'PUT', path: `${IMAGE}/stage`, access: { kind: 'role', role: 'member' } },
  { method: 'GET', path: `${IMAGE}/tasks`, access: { kind: 'role', role: 'reader' } },
  { method: 'GET', path: '/v2/tasks', access: { kind: 'role', role: 'admin' } },
  { method: 'GET', path: '/v2/tasks/{task_id}', access: { kind: 'role', role: 'admin' } },
  { method: 'GET', path: '/v2/info/import', access: { kind: 'authenticated' } },
  { method: 'GET', path: `${IMAGE}/members`, access: { kind: 'role', role: 'reader' } },
  { method: 'POST', path: `${IMAGE}/members`, access: { kind: 'role', role: 'member' } },
  { method: 'GET', path: MEMBER, access: { kind: 'role', role: 'reader' } },
  { method: 'PUT', path: MEMBER, access: { kind: 'role', role: 'member' } },
  { method: 'DELETE', path: MEMBER, access: { kind: 'role', role: 'member' } },
  { method: 'PUT', path: `${IMAGE}/tags/{tag}`, access: { kind: 'role', role: 'member' } },
  { method: 'DELETE', path: `${IMAGE}/tags/{tag}`, access: { kind: 'role', role: 'member' } },
  { method: 'GET', path: '/v2/info/stores', access: { kind: 'authenticated' } },
  { method: 'GET', path: '/v2/info/stores/detail', access: { kind: 'role', role: 'admin' } },
  {
    method: 'DELETE',
    path: '/v2/stores/{store_id}/{image_id}',
    access: { kind: 'role', role: 'member' },
  },
  { method: 'GET', path: '/v2/info/usage', access: { kind: 'role', role: 'reader' } },
  ...['image', 'images', 'member', 'members', 'task', 'tasks'].map((name) => ({
    method: 'GET',
    path: `/v2/schemas/${name}`,
    access: { kind: 'authenticated' },
  })),
  ...METADEF_ROUTES,
  ...UNSUPPORTED_OPERATIONS.map(({ method, path }) => ({
    method,
    path,
    access: { kind: 'authenticated' },
  })),
].map((route) => ({ ...route, handler: '' }) as Route);

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());

authorisationSuite(routes, () => images);

it('has no guarded route beside those', () => {
  const found = routesOf(images.app.nest)
    .filter(({ access }) => access.kind !== 'public')
    .map(({ method, path, access }) => ({ method, path, access, handler: '' }));
  const order = ({ path, method }: Route): string => `${path} ${method}`;
  expect([...found].sort((a, b) => order(a).localeCompare(order(b)))).toEqual(
    [...routes].sort((a, b) => order(a).localeCompare(order(b))),
  );
});

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

  it.each(bad)('$status has the outer key $key: $method $path', async (row) => {
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

  it('carries the request id under both names', async () => {
    const { headers } = await images.client.get(`/v2/images/${ID}`, { token: images.member });
    const id = headers.get('x-platform-request-id');
    expect(id).toMatch(REQUEST_ID);
    expect(headers.get('x-openstack-request-id')).toBe(id);
  });

  it('says how to authenticate, and not why it was not enough', async () => {
    const expired = await images.tokens.issue(['member'], { expiresAt: Date.now() - 60_000 });
    for (const token of [undefined, '', 'nonsense', expired]) {
      const response = await images.client.get('/v2/images', { token });
      expect(response.status).toBe(401);
      expect(errorOf(response)).toEqual({
        key: 'unauthorized',
        code: 401,
        message: 'The request you have made requires authentication.',
      });
      expect(response.headers.get('www-authenticate')).toMatch(/^Keystone uri=/);
      expect(response.headers.get('x-platform-request-id')).toMatch(REQUEST_ID);
    }
  });

  it('names the methods that a path does answer', async () => {
    const response = await images.client.put('/v2/images', { token: images.member, body: {} });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

describe('every answer', () => {
  it('carries the request id also when all is well', async () => {
    const { headers } = await images.client.get('/v2/images', { token: images.member });
    expect(headers.get('x-platform-request-id')).toMatch(REQUEST_ID);
  });

  it('carries the request id also with the bytes of an image', async () => {
    const { id } = await images.createActive('data');
    const { headers } = await images.client.get(`/v2/images/${id}/file`, { token: images.member });
    expect(headers.get('x-platform-request-id')).toMatch(REQUEST_ID);
    expect(headers.get('x-openstack-request-id')).toMatch(REQUEST_ID);
  });
});

describe('version discovery', () => {
  it('is there for anyone, as a choice at the root and as a list beside it', async () => {
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

  it('know every attribute that an image shows', async () => {
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

describe('what is not offered', () => {
  it.each(UNSUPPORTED_OPERATIONS)('$method $path says so by its name', async (operation) => {
    const { method, path, name } = operation;
    const response = await images.client.send(method, path.replaceAll(/\{\w+\}/g, 'any'), {
      token: images.member,
      body: method === 'GET' ? undefined : {},
    });
    expect(response.status).toBe(501);
    expect(errorOf(response)).toEqual({
      key: 'notImplemented',
      code: 501,
      message: `${name} (${method} ${path}) is not supported.`,
    });
  });

  it('has no name twice', () => {
    const names = UNSUPPORTED_OPERATIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the OpenAPI document', () => {
  it('refers to nothing that it does not hold', async () => {
    const { text, body } = await images.client.get('/docs-json');
    const { schemas } = (body as { components: { schemas: object } }).components;
    const named = [...text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(named));
  });
});
