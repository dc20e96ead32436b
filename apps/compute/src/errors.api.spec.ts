/** The API reference's section "Errors", row by row. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { rawRequest } from '@cumulet/testing/raw-request';
import { startCompute, unknownId, type ComputeFixture } from './compute.fixture.js';
import { expectError } from './errors.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute({ config: { quotaInstances: 0, imagesUrl: 'http://127.0.0.1:1' } });
});

afterAll(async () => {
  await compute.stop();
});

const ID = unknownId();

type Ask = () => Promise<TestResponse>;

const post = (path: string, body: unknown, headers = {}): Promise<TestResponse> =>
  compute.client.post(path, { token: compute.token, body, headers });
const get = (path: string, headers = {}): Promise<TestResponse> =>
  compute.client.get(path, { token: compute.token, headers });

const UNAUTHENTICATED = 'The request you have made requires authentication.';

const rows: [string, Ask, number, string, string | RegExp][] = [
  ['malformed JSON', () => post('/servers', '{'), 400, 'badRequest', /JSON/],
  ['an empty body', () => post('/servers', ''), 400, 'badRequest', /body/i],
  [
    'no body at all',
    () => compute.client.post('/servers', { token: compute.token }),
    400,
    'badRequest',
    'Invalid input: the body must be an object.',
  ],
  [
    'a body that is null',
    () => post('/servers', 'null'),
    400,
    'badRequest',
    'Invalid input: the body must be an object.',
  ],
  [
    'a body that is a list',
    () => post('/servers', []),
    400,
    'badRequest',
    'Invalid input: the body must be an object.',
  ],
  [
    'a body nested without end',
    () => post('/servers', `${'{"server":'.repeat(5000)}1${'}'.repeat(5000)}`),
    400,
    'badRequest',
    'Invalid input: the body must not be nested deeper than 100 levels.',
  ],
  [
    'a key of every object',
    () => post('/servers', '{"__proto__": {}}'),
    400,
    'badRequest',
    'Invalid input: __proto__ is not a property that this operation knows.',
  ],
  [
    'a value of the wrong type',
    () => compute.createServer({ name: 7 }),
    400,
    'badRequest',
    'Invalid input: server.name must be a string.',
  ],
  [
    'a null character',
    () => compute.createServer({ name: 'a\0' }),
    400,
    'badRequest',
    /null character/,
  ],
  ['a null character in a path', () => get('/flavors/%00'), 400, 'badRequest', /U\+0000/],
  ['a URL that cannot be decoded', () => get('/servers/%zz'), 400, 'badRequest', /servers\/%zz/],
  [
    'a malformed microversion',
    () => get('/servers', { 'OpenStack-API-Version': 'compute two' }),
    400,
    'badRequest',
    /invalid format/,
  ],
  ['no token', () => compute.client.get('/servers'), 401, 'unauthorized', UNAUTHENTICATED],
  [
    'a token that is none',
    () => compute.client.get('/servers', { token: 'x' }),
    401,
    'unauthorized',
    UNAUTHENTICATED,
  ],
  [
    'an expired token',
    async () =>
      compute.client.get('/servers', {
        token: await compute.tokens.issue(['member'], { expiresAt: Date.now() - 1000 }),
      }),
    401,
    'unauthorized',
    UNAUTHENTICATED,
  ],
  [
    'a role that lacks the permission',
    async () =>
      compute.client.delete(`/servers/${ID}`, { token: await compute.tokens.issue(['reader']) }),
    403,
    'forbidden',
    'DELETE /servers/:server_id needs the role member; the token has reader.',
  ],
  [
    'a token without a project',
    async () =>
      compute.client.get('/servers', {
        token: await compute.tokens.issue([], { projectId: undefined, scope: 'unscoped' }),
      }),
    403,
    'forbidden',
    'GET /servers needs a token of a project; this one is unscoped.',
  ],
  [
    'an identifier that nothing has',
    () => get(`/servers/${ID}`),
    404,
    'itemNotFound',
    `Instance ${ID} could not be found.`,
  ],
  [
    'a path that nothing is at',
    () => get('/nosuch'),
    404,
    'itemNotFound',
    'No operation GET /nosuch exists.',
  ],
  [
    'a path that is too long',
    () => get(`/servers/${'x'.repeat(8000)}`),
    404,
    'itemNotFound',
    /^Instance x+ could not be found/,
  ],
  [
    'a method that the path has not',
    () => compute.client.put('/servers', { token: compute.token, body: {} }),
    405,
    'methodNotAllowed',
    'PUT is not allowed on /servers; allowed: GET, HEAD, POST.',
  ],
  [
    'a method that nobody knows',
    () => compute.client.send('PURGE', '/servers'),
    405,
    'methodNotAllowed',
    /^PURGE is not allowed/,
  ],
  [
    'a microversion that is too new',
    () => get('/servers', { 'OpenStack-API-Version': 'compute 2.999' }),
    406,
    'notAcceptable',
    'Version 2.999 is not supported by the API. Minimum is 2.1 and maximum is 2.104.',
  ],
  [
    'a body of another type',
    () => post('/servers', '<server/>', { 'Content-Type': 'application/xml' }),
    415,
    'unsupportedMediaType',
    /Content-Type/,
  ],
  [
    'a body that is no JSON by name',
    () => post('/servers', '{}', { 'Content-Type': 'text/plain' }),
    415,
    'unsupportedMediaType',
    /Content-Type/,
  ],
  [
    'a body over the limit',
    () => post('/servers', `{"server": "${'x'.repeat(1024 * 1024)}"}`),
    413,
    'overLimit',
    /larger/,
  ],
  [
    'a quota of which nothing is left',
    () => compute.createServer(),
    413,
    'overLimit',
    'Quota exhausted for instances: all 0 are in use',
  ],
];

describe('the answer to', () => {
  it.each(rows)('%s', async (_, ask, status, key, message) => {
    expectError(await ask(), status, key, message);
  });

  it('an internal failure shows nothing of its cause', async () => {
    jest.spyOn(compute.images, 'find').mockRejectedValueOnce(new Error('password=hunter2'));
    const response = await compute.createServer();
    expectError(response, 500, 'computeFault', /^An unexpected error prevented/);
    const id = response.headers.get('x-platform-request-id');
    expect(compute.logs).toContainEqual(
      expect.objectContaining({
        requestId: id,
        level: 'error',
        err: expect.objectContaining({ message: 'password=hunter2' }),
      }),
    );
  });
});

describe('an invalid request', () => {
  it.each([
    ['a space in the address', 'GET /ser vers HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'badRequest'],
    [
      'a header of 20 KB',
      `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'requestHeaderFieldsTooLarge',
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, 'badRequest'],
  ])('is answered: %s', async (_, text, status, key) => {
    expectError(await rawRequest(compute.client.baseUrl, text), status, key, /request/);
  });
});
