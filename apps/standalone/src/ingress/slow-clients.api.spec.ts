/** Clients that hold idle connections at the ingress. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ingress } from './ingress.js';

/** Times are short where a test waits for their end, and long where it must not come before. */
const unread = new Ingress({ unreadSeconds: 0.3 });
const headless = new Ingress({ headersSeconds: 0.2 });
const lingering = new Ingress({ lingerSeconds: 600 });
const ports = new Map<Ingress, number>();
let ended: Promise<unknown>;

/** More than all buffers between a server and its client hold. */
const MUCH = Buffer.alloc(64 * 1024 * 1024);

function* endless(): Generator<Buffer> {
  for (;;) yield MUCH.subarray(0, 65_536);
}

beforeAll(async () => {
  const handled = (answer: (response: ServerResponse, request: IncomingMessage) => void) => ({
    handle: (request: IncomingMessage, response: ServerResponse) => {
      ended = once(response, 'close');
      answer(response, request);
    },
  });
  for (const ingress of [unread, headless, lingering]) {
    ingress.mount(
      '/stream',
      handled((response) => void Readable.from(endless()).pipe(response)),
    );
    ingress.mount(
      '/plain',
      handled((response) => void response.end(MUCH)),
    );
    ingress.mount(
      '/refuser',
      handled((response) => void response.writeHead(401).end()),
    );
    ports.set(ingress, await ingress.listen(0, '127.0.0.1'));
  }
});
afterAll(async () => {
  for (const ingress of ports.keys()) await ingress.close();
});

function send(bytes: string, to = unread): Socket {
  const socket = connect(ports.get(to) ?? 0, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

describe('a client that does not read its response is disconnected', () => {
  it.each(['stream', 'plain'])('if the response continues: a %s one', async (name) => {
    const socket = send(`GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    await ended;
    socket.destroy();
  });

  it('even while the client keeps sending', async () => {
    const socket = send('GET /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n');
    await once(socket, 'readable');
    const trickle = setInterval(() => socket.write(' '), 20);
    await ended;
    clearInterval(trickle);
    socket.destroy();
  });
});

describe('the connection of a request with an endless body is closed', () => {
  const head = 'HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{';

  it.each([
    ['a service has', '/refuser', 401],
    ['the ingress has', '/nowhere', 404],
  ])('once %s refused it', async (_, path, status) => {
    const answer = await text(send(`POST ${path} ${head}`));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close\r\n`, 's'));
  });
});

it('a client that is refused while it sends may finish, and is not disconnected', async () => {
  const head = `POST /refuser HTTP/1.1\r\nHost: x\r\nContent-Length: ${MUCH.length}\r\n\r\n`;
  const socket = connect({
    port: ports.get(lingering) ?? 0,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  const closed = once(socket, 'close');
  socket.write(head);
  socket.setEncoding('utf8').once('data', (answer) => expect(answer).toMatch(/^HTTP\/1.1 401 /));
  await once(socket, 'end');
  await new Promise<void>((resolve) => socket.end(MUCH, resolve));
  await closed;
  expect(socket.bytesWritten).toBe(head.length + MUCH.length);
});

it('a client that does not finish its headers is answered 408 and disconnected', async () => {
  const socket = send('GET /stream HTTP/1.1\r\nHost: x\r\n', headless);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 408 .*"requestTimeout"/s);
});

it('an idle connection is closed', async () => {
  await text(send('', headless));
});
