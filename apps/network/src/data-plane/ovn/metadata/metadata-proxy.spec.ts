import { once } from 'node:events';
import {
  createServer as createHttp,
  request,
  type IncomingMessage,
  type Server as HttpServer,
} from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UNHANDLED_HEADER } from '@cumulet/common/service/drain';
import { eventually } from '@cumulet/testing/settle';
import { MetadataProxy } from './metadata-proxy.js';
import type { Requester } from './network-server.js';

const ASKER: Requester = {
  portId: 'port',
  macAddress: 'fa:16:3e:00:00:01',
  address: '10.0.0.5',
  deviceId: 'server',
  projectId: 'project',
};

const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port;

let servers: (Server | HttpServer)[];
let sockets: Socket[];

beforeEach(() => {
  servers = [];
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

async function listening<S extends Server | HttpServer>(server: S): Promise<S> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** @returns a port at which all connections count as the asker's */
async function served(proxy: MetadataProxy, asker: Partial<Requester> = {}): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    proxy.accept(socket, { ...ASKER, ...asker });
  });
  return portOf(await listening(server));
}

async function ask(port: number, path = '/', headers = {}): Promise<[number | undefined, string]> {
  const asked = request({ port, path, headers, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number },
  ];
  return [answer.statusCode, await text(answer)];
}

/** Stands for compute. */
async function compute(answer = 'metadata'): Promise<MetadataProxy> {
  const server = createHttp((asked, response) => {
    response.setHeader('connection', 'close');
    response.end(`${answer} ${asked.url ?? ''}`);
  });
  const url = `http://127.0.0.1:${portOf(await listening(server))}/below`;
  return new MetadataProxy({ url, secret: 'shared' });
}

describe('the metadata proxy', () => {
  it('answers 503 if compute is unreachable or absent', async () => {
    const gone = await listening(createServer());
    const url = `http://127.0.0.1:${portOf(gone)}`;
    gone.close();
    const all = [
      { url, secret: 'shared' },
      { url, secret: undefined },
      { url: undefined, secret: 'shared' },
    ];
    for (const options of all)
      expect(await ask(await served(new MetadataProxy(options)))).toEqual([
        503,
        '503 Service Unavailable\n',
      ]);
  });

  it('does not show guests how replicas refuse', async () => {
    const stopping = createHttp((_, response) => {
      response.writeHead(503, { [UNHANDLED_HEADER]: 'stopping', connection: 'close' });
      response.end('stopping');
    });
    const url = `http://127.0.0.1:${portOf(await listening(stopping))}`;
    const port = await served(new MetadataProxy({ url, secret: 'shared' }));
    const asked = request({ port, agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).not.toHaveProperty(UNHANDLED_HEADER);
    expect(await text(answer)).toBe('stopping');
  });

  it('sends a password again that compute refused because it stops', async () => {
    let attempts = 0;
    const back = createHttp((asked, response) => {
      attempts += 1;
      if (attempts === 1) response.writeHead(503, { [UNHANDLED_HEADER]: 'stopping' });
      asked.pipe(response);
    });
    const url = `http://127.0.0.1:${portOf(await listening(back))}`;
    const port = await served(new MetadataProxy({ url, secret: 'shared' }));
    const asked = request({ port, method: 'POST', agent: false }).end('encrypted');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([200, 'encrypted']);
    expect(attempts).toBe(2);
  });

  it('answers 404 to a port without a device', async () => {
    const port = await served(await compute(), { deviceId: '' });
    expect(await ask(port)).toEqual([404, '404 Not Found\n']);
  });

  it.each([
    ['/openstack/../../other?a=/..', [200, 'metadata /below/other?a=/..']],
    ['/%2e%2e/other', [200, 'metadata /below/other']],
    ['/..%2fother', [400, '400 Bad Request\n']],
    ['/..%5Cother', [400, '400 Bad Request\n']],
    ['//elsewhere/path', [400, '400 Bad Request\n']],
    ['/\\\\[', [400, '400 Bad Request\n']],
    ['http://elsewhere/path', [400, '400 Bad Request\n']],
  ])('refuses %s, which leads out of the base URL', async (path, answer) => {
    expect(await ask(await served(await compute()), path)).toEqual(answer);
  });

  it('refuses a body that is too long, also of unknown length', async () => {
    const port = await served(await compute());
    const told = { 'content-length': '100000' };
    const asked = request({ port, method: 'POST', headers: told, agent: false });
    asked.on('error', () => undefined);
    asked.flushHeaders();
    const [declared] = (await once(asked, 'response')) as [{ statusCode: number }];
    asked.destroy();
    expect(declared.statusCode).toBe(413);
    const streamed = request({ port, method: 'POST', agent: false });
    streamed.on('error', () => undefined);
    streamed.write('x'.repeat(60_000));
    streamed.write('x'.repeat(10_000));
    const [counted] = (await once(streamed, 'response')) as [{ statusCode: number }];
    streamed.destroy();
    expect(counted.statusCode).toBe(413);
  });

  it('limits the connections of each guest, and serves others meanwhile', async () => {
    const proxy = await compute();
    const [busy, other] = [await served(proxy), await served(proxy, { portId: 'other' })];
    let closed = 0;
    const held = Array.from({ length: 40 }, () => {
      const socket = connect(busy);
      socket.on('error', () => undefined);
      socket.once('close', () => (closed += 1));
      socket.write('GET / HTTP/1.1\r\n');
      return socket;
    });
    await eventually('those over the limit are closed', () => closed === 8);
    expect(await ask(other)).toEqual([200, 'metadata /below/']);
    for (const socket of held) socket.destroy();
    await eventually('all are closed', () => closed === 40);
    await eventually('its turn comes again', () =>
      ask(busy).then(
        ([status]) => status === 200,
        () => false,
      ),
    );
  });
});
