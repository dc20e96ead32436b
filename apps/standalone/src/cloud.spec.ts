import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ingress } from './ingress/ingress.js';
import { listening, localUrl } from './cloud.js';
import { StartupError } from './startup-error.js';

describe('a listener on', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['::', 'http://[::1]:8080'],
    ['cloud.example', 'http://cloud.example:8080'],
  ])('%s is reached at %s', (host, url) => {
    expect(localUrl(host, 8080)).toBe(url);
  });
});

describe('a listener fails to start with one line for', () => {
  const taken = createServer();
  let port: number;

  beforeAll(async () => {
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    port = (taken.address() as { port: number }).port;
  });
  afterAll(() => {
    taken.close();
  });

  function listen(prefix: string, onPort: number, listenHost: string): Promise<number> {
    const listener = { prefix, listenHost, port: onPort };
    return listening(listener, () => new Ingress().listen(onPort, listenHost));
  }

  it.each(['CUMULET', 'IMAGES'])('a port of %s that is in use', async (prefix) => {
    await expect(listen(prefix, port, '127.0.0.1')).rejects.toEqual(
      new StartupError(
        `Port ${port} is in use: stop what listens there, or choose another with ${prefix}_PORT`,
      ),
    );
  });

  it.each(['192.0.2.1', 'nowhere.invalid'])(
    '%s, which is not an address of this host',
    async (host) => {
      await expect(listen('CUMULET', 0, host)).rejects.toEqual(
        new StartupError(
          `CUMULET_LISTEN_HOST must be an address of this machine; "${host}" is not`,
        ),
      );
    },
  );
});

it('a failed lookup of another name is not attributed to the listener', async () => {
  const error = Object.assign(new Error('getaddrinfo ENOTFOUND store.invalid'), {
    syscall: 'getaddrinfo',
    code: 'ENOTFOUND',
    hostname: 'store.invalid',
  });
  const listener = { prefix: 'IMAGES', listenHost: '127.0.0.1', port: 9292 };
  await expect(listening(listener, () => Promise.reject(error))).rejects.toBe(error);
});
