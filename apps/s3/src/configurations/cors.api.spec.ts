import { CreateBucketCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start();
  const client = s3.client();
  await client.send(new CreateBucketCommand({ Bucket: 'web', ACL: 'public-read' }));
  const rule = (AllowedMethods: string[], origin: string, more = {}) => ({
    AllowedMethods,
    AllowedOrigins: [origin],
    ...more,
  });
  const CORSRules = [
    rule(['GET'], '*suffix'),
    rule(['GET'], 'start*end'),
    rule(['PUT', 'GET'], 'https://app.example', {
      AllowedHeaders: ['x-amz-*', 'Content-Type'],
      ExposeHeaders: ['etag'],
      MaxAgeSeconds: 60,
    }),
    rule(['DELETE'], '*'),
  ];
  await client.send(new PutBucketCorsCommand({ Bucket: 'web', CORSConfiguration: { CORSRules } }));
});
afterAll(() => s3.stop());

async function ask(method: string, origin: string, wanted?: string, names?: string) {
  const response = await fetch(`${s3.url}/${s3.projectId}:web/a`, {
    method,
    headers: {
      origin,
      ...(wanted === undefined ? {} : { 'access-control-request-method': wanted }),
      ...(names === undefined ? {} : { 'access-control-request-headers': names }),
    },
  });
  const { headers, status } = response;
  return [
    status,
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-methods'),
  ];
}

it.each([
  ['foo.suffix', 'GET', 200, 'foo.suffix', 'GET'],
  ['foo.suffix.not', 'GET', 403, null, null],
  ['foo.suffix', 'PUT', 403, null, null],
  ['startend', 'GET', 200, 'startend', 'GET'],
  ['start1end', 'GET', 200, 'start1end', 'GET'],
  ['starend', 'GET', 403, null, null],
  ['anything', 'DELETE', 200, '*', 'DELETE'],
])('a preflight of %s for %s: %d', async (origin, method, ...expected) => {
  expect(await ask('OPTIONS', origin, method)).toEqual(expected);
});

it('a preflight is allowed the headers in its rule', async () => {
  const app = 'https://app.example';
  expect(await ask('OPTIONS', app, 'PUT', 'X-Amz-Meta-A, content-type')).toEqual([
    200,
    app,
    'PUT, GET',
  ]);
  expect((await ask('OPTIONS', app, 'PUT', 'x-other'))[0]).toBe(403);
  expect((await ask('OPTIONS', 'foo.suffix', 'GET', 'x-amz-meta-a'))[0]).toBe(403);
});

it('a preflight that is incomplete is refused', async () => {
  expect((await ask('OPTIONS', 'foo.suffix'))[0]).toBe(400);
  const response = await fetch(`${s3.url}/web`, { method: 'OPTIONS' });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('<Code>BadRequest</Code>'),
  ]);
});

it('a preflight need not name the project', async () => {
  const headers = { origin: 'foo.suffix', 'access-control-request-method': 'GET' };
  const response = await fetch(`${s3.url}/web/a`, { method: 'OPTIONS', headers });
  expect(response.status).toBe(200);
  const other = await fetch(`${s3.url}/none/a`, { method: 'OPTIONS', headers });
  expect([other.status, await other.text()]).toEqual([
    403,
    expect.stringContaining('<Code>AccessForbidden</Code>'),
  ]);
});

it('responses name the headers that a page may read, even on errors', async () => {
  expect(await ask('GET', 'foo.suffix')).toEqual([404, 'foo.suffix', 'GET']);
  expect(await ask('PUT', 'foo.suffix')).toEqual([403, null, null]);
  expect(await ask('PUT', 'foo.suffix', 'GET')).toEqual([403, 'foo.suffix', 'GET']);
  expect(await ask('DELETE', 'any')).toEqual([403, '*', 'DELETE']);
  const response = await fetch(`${s3.url}/${s3.projectId}:web/`, {
    headers: { origin: 'https://app.example' },
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'etag',
    'access-control-max-age': '60',
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  });
});
