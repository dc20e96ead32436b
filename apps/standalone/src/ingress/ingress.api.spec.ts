import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '@cumulet/testing/http-client';
import { rawRequest } from '@cumulet/testing/raw-request';
import { Ingress } from './ingress.js';

const ingress = new Ingress();
let client: TestClient;
let port: number;

beforeAll(async () => {
  ingress.mount('/compute', {
    envelope: ({ status }) => ({ compute: status }),
    handle: (request, response) =>
      response.end(`compute ${request.method ?? ''} ${request.url ?? ''}`),
  });
  ingress.reserve('/image');
  port = await ingress.listen(0, '127.0.0.1');
  client = new TestClient(`http://127.0.0.1:${port}`);
});

afterAll(async () => {
  await ingress.close();
});

describe('the ingress forwards', () => {
  it.each([
    ['/compute/servers?limit=1', 'compute GET /servers?limit=1'],
    ['/compute', 'compute GET /'],
    ['/compute/', 'compute GET /'],
    ['/compute?x=1', 'compute GET /?x=1'],
    ['/compute//double', 'compute GET //double'],
  ])('%s', async (path, expected) => {
    expect((await client.get(path)).text).toBe(expected);
  });
});

it.each([
  ['http://cloud.example/image/v2/images?limit=1', 503],
  ['HTTP://cloud.example:8080/image', 503],
  ['http://cloud.example', 300],
])('the absolute URL %s is routed by its path', async (target, status) => {
  const response = await rawRequest(
    client.baseUrl,
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(response.status).toBe(status);
});

it('a request with several Host headers is refused', async () => {
  const { status, body } = await rawRequest(
    client.baseUrl,
    `GET /compute/ HTTP/1.1\r\nHost: a\r\nHOST: b\r\nConnection: close\r\n\r\n`,
  );
  const message = 'The request has more than one Host header.';
  expect([status, body]).toEqual([400, { badRequest: { code: 400, message } }]);
});

it.each([
  ['/compute/servers', { compute: 431 }],
  ['/image/v2', { requestHeaderFieldsTooLarge: expect.anything() }],
])('headers that are too long are refused in the format of the service: %s', async (path, body) => {
  const response = await rawRequest(
    client.baseUrl,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  expect([response.status, response.body]).toEqual([431, body]);
});

describe('for a client that waits to send its body', () => {
  const patient = new Ingress();
  let on: number;
  let baseUrl: string;

  beforeAll(async () => {
    patient.mount('/refuser', {
      handle(_, response) {
        response.statusCode = 403;
        response.end();
      },
    });
    patient.mount('/taker', {
      handle: (request, response) => void text(request).then((body) => response.end(body)),
    });
    patient.reserve('/image');
    on = await patient.listen(0, '127.0.0.1');
    baseUrl = `http://127.0.0.1:${on}`;
  });
  afterAll(() => patient.close());

  const waiting = 'HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n';

  it.each([
    ['a service', '/refuser', 403],
    ['the ingress', '/nowhere', 404],
    ['a service that is starting', '/image', 503],
  ])(
    '%s refuses it instead of sending 100 Continue, and closes the connection',
    async (_, path, status) => {
      const response = await rawRequest(baseUrl, `PUT ${path} ${waiting}`);
      expect(response.status).toBe(status);
      expect(response.headers.get('connection')).toBe('close');
    },
  );

  it('the body is requested when it is read', async () => {
    const headers = { Expect: '100-continue' };
    const sent = send({ port: on, path: '/taker', method: 'PUT', headers });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.end('data');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('data');
  });
});

describe('the ingress responds with', () => {
  it('404 for an unknown service', async () => {
    const response = await client.get('/volume/v3');
    expect([response.status, response.body]).toEqual([
      404,
      {
        itemNotFound: {
          code: 404,
          message: 'No service is at /volume; there are /compute, /image.',
        },
      },
    ]);
    expect(response.headers.get('x-platform-request-id')).toMatch(/^req-/);
  });

  it.each(['/computer', '/COMPUTE', '/%63ompute', '/__proto__/x'])('404 for %s', async (path) => {
    expect((await client.get(path)).status).toBe(404);
  });

  it('503 for a service that is starting', async () => {
    const response = await client.get('/image/v2/images');
    expect([response.status, response.body]).toEqual([
      503,
      { serviceUnavailable: { code: 503, message: 'The service at /image is starting.' } },
    ]);
    expect(response.headers.get('retry-after')).toBe('1');
  });

  it('400 for malformed HTTP', async () => {
    const response = await rawRequest(client.baseUrl, 'hello\r\n\r\n');
    expect([response.status, response.body]).toEqual([
      400,
      { badRequest: { code: 400, message: 'The request is not well-formed HTTP.' } },
    ]);
    expect(response.headers.get('x-platform-request-id')).toMatch(/^req-/);
  });

  it('400 with a body for a request without a Host header', async () => {
    const head = 'GET /compute HTTP/1.1\r\nConnection: close\r\n\r\n';
    const response = await rawRequest(client.baseUrl, head);
    expect([response.status, response.body]).toEqual([
      400,
      { badRequest: { code: 400, message: expect.any(String) } },
    ]);
    expect(response.headers.get('x-platform-request-id')).toMatch(/^req-/);
  });

  it.each(['Expect: 200-ok', 'Expect:'])('300 to a request with %s', async (line) => {
    const head = `GET / HTTP/1.1\r\nHost: x\r\n${line}\r\nConnection: close\r\n\r\n`;
    expect((await rawRequest(client.baseUrl, head)).status).toBe(300);
  });

  it('300 and the list of services at its root', async () => {
    const response = await client.get('/');
    expect([response.status, response.body]).toEqual([
      300,
      { multipleChoices: { code: 300, message: 'The services are at /compute, /image.' } },
    ]);
  });
});

it('a port that is in use fails the start', async () => {
  await expect(new Ingress().listen(port, '127.0.0.1')).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

it('closing does not wait for a client that keeps its connection open', async () => {
  const other = new Ingress();
  other.mount('/slow', { handle: (_, response) => response.write('begun') });
  const on = await other.listen(0, '127.0.0.1');
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    send({ port: on, path: '/slow' }, resolve).on('error', reject).end();
  });
  const response = await answered;
  response.on('error', () => undefined).resume();
  await expect(other.close()).resolves.toBeUndefined();
});
