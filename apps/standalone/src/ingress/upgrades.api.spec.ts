import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ingress, type IngressTarget } from './ingress.js';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

/** Opens a WebSocket that echoes every byte. */
const echo: Required<Pick<IngressTarget, 'upgrade'>> = {
  upgrade({ url, headers }, socket, head) {
    const key = headers['sec-websocket-key'] ?? '';
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
      `X-Path: ${url ?? ''}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(head);
    socket.pipe(socket);
  },
};

function handle(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '' } = request;
  void text(request).then((body) => response.end(`${method} ${url} ${body};`));
}

const ingress = new Ingress();
let port: number;

beforeAll(async () => {
  ingress.mount('/console', { handle, ...echo, envelope: ({ status }) => ({ console: status }) });
  ingress.mount('/plain', { handle });
  ingress.reserve('/starting');
  port = await ingress.listen(0, '127.0.0.1');
});
afterAll(() => ingress.close());

function send(lines: readonly string[], behind = '', to = port): Socket {
  const socket = connect(to, '127.0.0.1').setEncoding('latin1');
  socket.write(`${[...lines, 'Host: x'].join('\r\n')}\r\n\r\n${behind}`);
  return socket;
}

function handshake(path: string, version = '13'): string[] {
  return [
    `GET ${path} HTTP/1.1`,
    'Connection: keep-alive, Upgrade',
    'Upgrade: WebSocket',
    `Sec-WebSocket-Key: ${KEY}`,
    `Sec-WebSocket-Version: ${version}`,
  ];
}

/** The received bytes up to this end. */
async function until(socket: Socket, end: string): Promise<string> {
  let got = '';
  while (!got.includes(end)) got += String((await once(socket, 'data'))[0]);
  return got;
}

describe('a client that requests a WebSocket', () => {
  it('is connected to the service in its path', async () => {
    const socket = send(handshake('/console/guests/one?token=x'), 'early ');
    expect(await until(socket, 'early ')).toBe(
      [
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
        'X-Path: /guests/one?token=x',
        '',
        'early ',
      ].join('\r\n'),
    );
    socket.write('later');
    expect(await until(socket, 'later')).toBe('later');
    const rest = text(socket);
    socket.end();
    await rest;
  });

  it.each([
    ['404 if there is no service', '/nowhere', 404],
    ['503 if the service is starting', '/starting', 503],
    ['by a service that does not upgrade', '/plain/guests', 200],
  ])('is answered %s and disconnected', async (_, path, status) => {
    const answer = await text(send(handshake(path)));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close\r\n`, 's'));
  });

  it('with an unsupported version is told the supported one and disconnected', async () => {
    const answer = await text(send(handshake('/console', '8')));
    expect(answer).toMatch(/^HTTP\/1.1 426 Upgrade Required\r\n/);
    expect(answer).toContain('\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n');
    expect(answer).toContain('{"console":426}');
  });

  it('that disconnects abruptly causes no failure', async () => {
    const socket = send(handshake('/console'));
    await until(socket, '\r\n\r\n');
    socket.resetAndDestroy();
    expect(await until(send(handshake('/console')), '\r\n\r\n')).toContain(' 101 ');
  });
});

describe('a client that requests another protocol', () => {
  const lines = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMA'];

  it.each(['/plain', '/console'])(
    'is served with HTTP/1.1, including its body: %s',
    async (path) => {
      const body = `the ${'b'.repeat(1_000_000)}ody`;
      const head = [`POST ${path}/x HTTP/1.1`, ...lines, `Content-Length: ${body.length}`];
      const socket = send(head, body.slice(0, 5));
      socket.write(body.slice(5));
      const answer = await until(socket, ';');
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
      expect(answer.includes(`POST /x ${body};`)).toBe(true);
      socket.write(`GET ${path}/again HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*\r\nGET \/again ;/s);
    },
  );
});

it('closing does not wait for an open WebSocket', async () => {
  const other = new Ingress();
  other.mount('/console', { handle, ...echo });
  const socket = send(handshake('/console'), '', await other.listen(0, '127.0.0.1'));
  await until(socket, '\r\n\r\n');
  const ended = text(socket);
  await other.close();
  await ended;
});
