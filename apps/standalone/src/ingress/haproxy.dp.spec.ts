/** The ingress of processes apart (deploy/haproxy.cfg) does as the standalone cloud's does, and finds replicas. */
import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as plain, type IncomingMessage } from 'node:http';
import { request as encrypted } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { proxyLine } from '@cumulet/common/http/proxy-protocol';
import { TestClient } from '@cumulet/testing/http-client';
import { rawRequest } from '@cumulet/testing/raw-request';
import { eventually } from '@cumulet/testing/settle';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVER_CERTIFICATE, SERVER_KEY } from '@cumulet/loadbalancer/tls/certificates.fixture';
import { apiName } from '../composed.fixture.js';
import { SERVICES } from '../services.js';
import { IngressWorld, type Echo, type Replica } from './haproxy.fixture.js';

const APIS = SERVICES.filter(({ name }) => name !== 's3');
const GUEST = 'fd00:1111:2222:3333:4444:5555:6666:7777';

let world: IngressWorld;
let apis: TestClient;
let objects: TestClient;
const replicas = new Map<string, Replica>();

beforeAll(async () => {
  world = await IngressWorld.start();
  apis = new TestClient(`http://${world.ingress.host}:8080`);
  objects = new TestClient(`http://${world.ingress.host}:9000`);
  for (const { name, port } of SERVICES) {
    const replica = await world.replica(port);
    replicas.set(name, replica);
    if (name !== 'clusters') world.name(apiName(name), replica);
  }
  for (const { name, path } of SERVICES)
    if (name !== 'clusters') await used(path, name === 's3' ? objects : apis);
});
afterAll(() => world.stop());

/** Returns once a process answers below the path. */
function used(path: string, client: TestClient): Promise<void> {
  return eventually(
    `${path} is answered`,
    async () => (await client.get(`${path}/x`)).status === 200,
  );
}

async function echo(
  path: string,
  client = apis,
  headers: Record<string, string> = {},
): Promise<Echo> {
  const { status, body } = await client.get(path, { headers });
  expect(status).toBe(200);
  return body as Echo;
}

describe('the path of a service', () => {
  it.each(APIS.filter(({ name }) => name !== 'clusters'))(
    'leads to $name',
    async ({ name, path }) => {
      const { at, url } = await echo(`${path}/v1/things?limit=1`);
      expect([at, url]).toEqual([replicas.get(name)?.address, '/v1/things?limit=1']);
    },
  );

  it.each([
    ['/compute', '/'],
    ['/compute/', '/'],
    ['/compute?x=1', '/?x=1'],
    ['/compute//double', '//double'],
    ['/compute/a%2Fb/%E2%82%AC', '/a%2Fb/%E2%82%AC'],
  ])('%s is cut off: %s', async (path, url) => {
    expect((await echo(path)).url).toBe(url);
  });

  it('may be in an absolute URL', async () => {
    const head =
      'GET http://cloud.example/compute/servers HTTP/1.1\r\nHost: cloud.example\r\nConnection: close\r\n\r\n';
    const { body } = await rawRequest(apis.baseUrl, head);
    expect((body as Echo).url).toBe('/servers');
  });

  it.each(['/computer', '/COMPUTE/x', '/%63ompute', '/volume/v3', '/s3', '/say"so'])(
    'is not %s',
    async (path) => {
      const { status, body, headers } = await apis.get(path);
      const paths = APIS.map((service) => service.path).join(', ');
      const name = path.split('/')[1]?.replace('"', '%22');
      const message = `No service is at /${name}; there are ${paths}.`;
      expect([status, body]).toEqual([404, { itemNotFound: { code: 404, message } }]);
      expect(headers.get('x-platform-request-id')).toMatch(/^req-[0-9a-f-]{36}$/);
    },
  );

  it.each(['/', '/?x=1'])('is not %s, which lists them', async (path) => {
    const { status, body } = await apis.get(path);
    const message = `The services are at ${APIS.map((service) => service.path).join(', ')}.`;
    expect([status, body]).toEqual([300, { multipleChoices: { code: 300, message } }]);
  });
});

describe("S3's port", () => {
  it('leaves paths and hosts as they are', async () => {
    const { at, url } = await echo('/compute//a%20key?uploads');
    expect([at, url]).toEqual([replicas.get('compute')?.address, '//a%20key?uploads']);
    const head =
      'GET /bucket//a%20key?uploads HTTP/1.1\r\nHost: bucket.s3.example\r\nConnection: close\r\n\r\n';
    const { body } = await rawRequest(objects.baseUrl, head);
    expect(body).toMatchObject({
      at: replicas.get('s3')?.address,
      url: '/bucket//a%20key?uploads',
      headers: { host: 'bucket.s3.example' },
    });
  });

  it('passes on the request to continue, and a large body', async () => {
    const bytes = 50_000_000;
    const headers = { Expect: '100-continue', 'Content-Length': bytes };
    const sent = plain(`${objects.baseUrl}/bucket/key`, { method: 'PUT', headers });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.end(Buffer.alloc(bytes));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toMatchObject({ method: 'PUT', bytes });
  });
});

describe('the client', () => {
  it.each([
    ['the APIs', () => apis],
    ['S3', () => objects],
  ])('of %s cannot say who it is', async (_, client) => {
    const { headers } = await echo('/compute/x', client(), {
      'X-Forwarded-For': '8.8.8.8',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'elsewhere.example',
    });
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    expect(headers).not.toHaveProperty('x-forwarded-host');
    expect(headers.host).toBe(new URL(client().baseUrl).host);
  });

  it('is a guest if a line of the PROXY protocol says so', async () => {
    const socket = connect(8081, world.ingress.host);
    const head =
      'GET /compute/x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 8.8.8.8\r\nConnection: close\r\n\r\n';
    socket.write(proxyLine(GUEST) + head);
    const [, body = ''] = (await text(socket)).split('\r\n\r\n');
    expect((JSON.parse(body) as Echo).headers['x-forwarded-for']).toBe(GUEST);
  });

  it.each([
    ['without such a line', ''],
    ['with the address of a host', 'PROXY TCP4 10.0.0.5 127.0.0.1 1 1\r\n'],
  ])('is disconnected at the door of guests %s', async (_, line) => {
    const socket = connect(8081, world.ingress.host);
    socket.on('error', () => undefined);
    socket.write(`${line}GET /compute/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket).catch(() => '')).not.toContain(' 200 ');
  });

  it('gets a WebSocket', async () => {
    const socket = connect(8080, world.ingress.host).setEncoding('latin1');
    socket.write(
      'GET /compute/consoles?token=x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    let got = '';
    socket.on('data', (chunk: string) => (got += chunk));
    await eventually('the protocol is switched', () => got.startsWith('HTTP/1.1 101 '));
    socket.write('later');
    await eventually('it echoes', () => got.endsWith('later'));
    socket.destroy();
  });

  it('may send headers as long as a service accepts', async () => {
    const { headers } = await echo('/compute/x', apis, { 'X-Long': 'x'.repeat(15_500) });
    expect(headers['x-long']).toHaveLength(15_500);
    expect(
      (await apis.get('/compute/x', { headers: { 'X-Long': 'x'.repeat(20_000) } })).status,
    ).toBe(431);
  });

  it('that is refused while it sends may read the answer', async () => {
    const socket = connect({ port: 8080, host: world.ingress.host, allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.write(`POST /compute/refuses HTTP/1.1\r\nHost: x\r\nContent-Length: 64000000\r\n\r\n`);
    socket.write(Buffer.alloc(4_000_000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    socket.destroy();
  });

  it('that sends no HTTP is refused', async () => {
    expect((await rawRequest(apis.baseUrl, 'hello\r\n\r\n')).status).toBe(400);
  });
});

describe('a service', () => {
  const unreachable = {
    serviceUnavailable: {
      code: 503,
      message: 'No process of the service clusters can be reached.',
    },
  };

  it('without a process is unavailable', async () => {
    const { status, body, headers } = await apis.get('/container-infra/v1');
    expect([status, body]).toEqual([503, unreachable]);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('x-platform-request-id')).toMatch(/^req-/);
  });

  it('is asked at each process that its name leads to, while it is ready', async () => {
    const { port } = SERVICES.find(({ name }) => name === 'clusters') as { port: number };
    const [first, second] = [replicas.get('clusters') as Replica, await world.replica(port)];
    const asked = async (): Promise<string[]> => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => apis.get('/container-infra/x')),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      return [...new Set(answers.map(({ body }) => (body as Echo).at))].sort();
    };
    const only = (...expected: Replica[]): Promise<void> =>
      eventually(`${expected.length} processes answer`, async () => {
        const addresses = expected.map(({ address }) => address).sort();
        return JSON.stringify(await asked()) === JSON.stringify(addresses);
      });

    world.name('clusters', first);
    await used('/container-infra', apis);
    await only(first);
    world.name('clusters', first, second);
    await only(first, second);
    first.isReady = false;
    await only(second);
    first.isReady = true;
    await only(first, second);
    first.isStopping = true;
    for (let times = 0; times < 10; times += 1) expect(await asked()).toEqual([second.address]);
    const late = await apis.post('/container-infra/x', { body: 'b'.repeat(16_000) });
    expect(late.body).toMatchObject({ at: second.address, bytes: 16_000 });
    second.isStopping = true;
    const refused = await apis.post('/container-infra/x', { body: 'b' });
    const message = 'No process of the service clusters takes requests at present.';
    const unavailable = { serviceUnavailable: { code: 503, message } };
    expect([refused.status, refused.body]).toEqual([503, unavailable]);
    first.isStopping = second.isStopping = false;
    await only(first, second);
    // Killed: its name leads there still, and its requests go to the other one.
    await first.stop();
    for (let times = 0; times < 20; times += 1) expect(await asked()).toEqual([second.address]);
    world.name('clusters', second);
    second.isReady = false;
    await eventually(
      'none is ready',
      async () => (await apis.get('/container-infra/x')).status === 503,
    );
  });

  it('is not asked again where its process may have carried out the request', async () => {
    const replica = replicas.get('orchestration') as Replica;
    const before = replica.requests;
    // On a connection that has had an answer, HAProxy leaves the second one to the client, and closes it.
    const head = 'POST /orchestration/dies HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const { status, body } = await rawRequest(apis.baseUrl, head);
    const message = 'A process of the service orchestration ended before it had answered.';
    expect([status, body]).toEqual([502, { badGateway: { code: 502, message } }]);
    expect(replica.requests).toBe(before + 1);
    expect(world.ingress.log).toMatch(/ SH 502 .* retries=0 POST \/orchestration\/dies$/m);
  });
});

it("says of S3 that it is unavailable as S3's clients expect it", async () => {
  world.name('s3');
  await eventually('S3 has no process', async () => (await objects.get('/bucket')).status === 503);
  const { text: body, headers } = await objects.get('/bucket');
  expect(headers.get('content-type')).toBe('application/xml');
  expect(body).toContain('<Code>ServiceUnavailable</Code>');
});

it('says that it lives', async () => {
  expect((await apis.get('/ingress/healthz')).status).toBe(200);
});

describe('with a certificate', () => {
  let folder: string;
  let secure: IngressWorld;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ingress-'));
    const pem = join(folder, 'cloud.pem');
    await writeFile(pem, SERVER_CERTIFICATE + SERVER_KEY);
    secure = await IngressWorld.start({ CUMULET_TLS_PEM: pem });
    secure.name('identity', await secure.replica(5000));
    secure.name('s3', await secure.replica(9000));
  });
  afterAll(async () => {
    await secure.stop();
    await rm(folder, { recursive: true });
  });

  async function secured(url: string): Promise<{ status: number; body: string }> {
    const sent = encrypted(url, { rejectUnauthorized: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response) };
  }

  it.each(['8080/identity/v3', '9000/bucket'])(
    '%s is encrypted, and services know',
    async (place) => {
      const url = `https://${secure.ingress.host}:${place}`;
      await eventually('it answers', async () => (await secured(url)).status === 200);
      const { body } = await secured(url);
      expect((JSON.parse(body) as Echo).headers['x-forwarded-proto']).toBe('https');
    },
  );
});
