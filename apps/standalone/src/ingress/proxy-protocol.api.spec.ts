/** Guests at the ingress: their identity comes from their door, and never from their requests. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ingress } from './ingress.js';
import { proxyLine } from '@cumulet/common/http/proxy-protocol';

const GUEST = 'fd00:1111:2222:3333:4444:5555:6666:7777';
const GET = 'GET /here/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

const ingress = new Ingress();
let port: number;
let guests: number;

beforeAll(async () => {
  ingress.mount('/here', {
    handle: (request, response) => {
      request.resume().once('end', () => response.end(request.socket.remoteAddress));
    },
  });
  port = await ingress.listen(0, '127.0.0.1');
  guests = await ingress.listenForGuests();
});
afterAll(() => ingress.close());

async function answer(to: number, ...pieces: readonly string[]): Promise<string> {
  const socket = connect({ port: to, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  for (const piece of pieces) await sent(socket, piece);
  return text(socket).catch(() => '');
}

/** Once the other side has had its turn. */
function sent(socket: Socket, piece: string): Promise<void> {
  return new Promise((resolve) => {
    socket.write(piece, () => setImmediate(resolve));
  });
}

describe("a connection through the guests' listener", () => {
  it.each([
    ['at once', [proxyLine(GUEST) + GET]],
    ['by itself', [proxyLine(GUEST), GET]],
    ['in pieces', (proxyLine(GUEST) + GET).match(/./gs) ?? []],
    [
      'before a body',
      [
        `${proxyLine(GUEST)}POST /here/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\n`,
        'abc',
      ],
    ],
  ])('belongs to the guest in its first line: %s', async (_, pieces) => {
    expect(await answer(guests, ...pieces)).toMatch(new RegExp(`\r\n\r\n(.*\r\n)?${GUEST}`));
  });

  it('belongs to the same guest for all requests', async () => {
    const keep = GET.replace('Connection: close\r\n', '');
    const all = await answer(guests, proxyLine(GUEST), keep, GET);
    expect(all.split(GUEST)).toHaveLength(3);
  });

  it.each([
    ['no line', GET],
    ['a second line', proxyLine(GUEST) + proxyLine('fd00::1') + GET],
    ['an invalid address', proxyLine('nobody') + GET],
    ['IPv4', `PROXY TCP4 10.0.0.5 127.0.0.1 1 1\r\n${GET}`],
    ['an unterminated line', `PROXY TCP6 ${'f'.repeat(200)}`],
  ])('is closed or refused with %s', async (_, bytes) => {
    expect(await answer(guests, bytes)).not.toContain(' 200 ');
  });
});

it('a PROXY line has no effect on other listeners', async () => {
  expect(await answer(port, proxyLine(GUEST) + GET)).toContain(' 400 ');
  expect(await answer(port, GET)).toContain('127.0.0.1');
});
