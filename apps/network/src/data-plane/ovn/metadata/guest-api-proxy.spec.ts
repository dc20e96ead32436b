import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { addressFor, GuestApiProxy, type Ingress } from './guest-api-proxy.js';
import { parseIngress } from '../../data-plane.config.js';

const ASKER = {
  portId: 'port',
  macAddress: 'fa:16:3e:00:00:01',
  address: '10.0.0.5',
  deviceId: 'server',
  projectId: 'project',
};
const BYTES = 8 * 1024 * 1024;

let servers: Server[];
let sockets: Socket[];
beforeEach(() => {
  servers = [];
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

async function listening(accept: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    accept(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A guest's connection through the proxy. */
async function through(
  ingress: Ingress | undefined,
  { allowHalfOpen = false, usesProxyProtocol = false } = {},
): Promise<Socket> {
  const proxy = new GuestApiProxy(ingress, usesProxyProtocol);
  const port = await listening((socket) => proxy.accept(socket, ASKER));
  return guestAt(port, allowHalfOpen);
}

function guestAt(port: number, allowHalfOpen = false): Socket {
  const guest = connect({ port, host: '127.0.0.1', allowHalfOpen });
  guest.on('error', () => undefined);
  sockets.push(guest);
  return guest;
}

const at = (port: number): Ingress => ({ host: '127.0.0.1', port });

describe('access of guests to the API', () => {
  it('delivers everything to a guest that reads slowly, after the ingress has closed', async () => {
    let closed = false;
    const port = await listening((socket) => {
      socket.once('close', () => (closed = true));
      socket.resume().end(Buffer.alloc(BYTES, 7));
    });
    const guest = await through(at(port), { allowHalfOpen: true });
    guest.end('all that it asks');
    guest.pause();
    // As far as buffers allow.
    await once(guest, 'readable');
    expect(await buffer(guest)).toHaveLength(BYTES);
    await eventually('it is closed inside, too', () => closed);
  });

  it('does not let a guest appear as a proxy on this machine', async () => {
    const port = await listening((socket) => socket.end(socket.remoteAddress ?? ''));
    const guest = await through(at(port));
    expect((await buffer(guest)).toString()).toBe('127.169.254.169');
  });

  it("sends the guest's identity first, if the ingress accepts it, whatever the guest sends", async () => {
    const port = await listening((socket) => socket.pipe(socket));
    const guest = await through(at(port), { allowHalfOpen: true, usesProxyProtocol: true });
    guest.end('PROXY TCP6 fd00::1 ::1 1 1\r\n');
    const told = `PROXY TCP6 ${addressFor(ASKER)} ::1 1 1\r\n`;
    expect((await buffer(guest)).toString()).toBe(`${told}PROXY TCP6 fd00::1 ::1 1 1\r\n`);
  });

  it('identifies guests by their ports, with stable addresses', () => {
    expect(addressFor(ASKER)).toBe('fdf8:d397:a33f:cb97:25db:9650:1e65:3bf3');
    expect(addressFor({ portId: 'other' })).not.toBe(addressFor(ASKER));
  });

  it('is closed without an ingress, or if nobody listens there', async () => {
    for (const ingress of [undefined, at(1)]) {
      const guest = await through(ingress);
      guest.resume();
      await once(guest, 'close');
    }
  });

  it('ends the inner connection when the guest disconnects', async () => {
    const ended: string[] = [];
    const port = await listening((socket) => {
      socket.resume();
      socket.once('end', () => ended.push('inside'));
    });
    const guest = await through(at(port));
    await eventually('it is open', () => sockets.length === 3);
    guest.resetAndDestroy();
    await eventually('it is closed', () => ended.length === 1);
  });

  it('limits the connections of each guest', async () => {
    const port = await listening((socket) => socket.resume());
    const proxy = new GuestApiProxy(at(port));
    const doorPort = await listening((socket) => proxy.accept(socket, ASKER));
    let closed = 0;
    for (let index = 0; index < 70; index++)
      guestAt(doorPort)
        .resume()
        .once('close', () => (closed += 1));
    await eventually('those over the limit are closed', () => closed === 6);
  });
});

describe('the setting of the ingress', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['cloud.example:443', { host: 'cloud.example', port: 443 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['127.0.0.1', undefined],
    ['::1:80', undefined],
    ['host:0', undefined],
    ['host:70000', undefined],
    ['http://host:80', undefined],
  ])('%s', (text, ingress) => {
    expect(parseIngress(text)).toEqual(ingress);
  });
});
