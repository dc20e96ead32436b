/** Downloads over real connections, from servers on this machine. */
import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isPublicAddress } from '@cumulet/common/addresses/public-address';
import { WebDownload, type DownloadOptions } from './web-download.js';
import { WebServer } from './web-server.fixture.js';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.stop();
});

async function server(answer: RequestListener): Promise<WebServer> {
  const started = await WebServer.start(answer);
  opened.push(started);
  return started;
}

function web(options: Partial<DownloadOptions>): WebDownload {
  const download = new WebDownload({
    ports: [80, 443],
    mayConnect: () => true,
    connectSeconds: 30,
    silenceSeconds: 30,
    leastSpeed: { bytesPerSecond: 0, overSeconds: 60 },
    ...options,
  });
  opened.push({ stop: () => download.onModuleDestroy() });
  return download;
}

/** Resolves to each of these addresses in turn, then to the last one. */
function resolving(...answers: string[][]): NonNullable<DownloadOptions['resolve']> {
  return (_host, _options, callback) => {
    const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    const family = (address: string): number => (address.includes(':') ? 6 : 4);
    const addresses: LookupAddress[] = found.map((one) => ({ address: one, family: family(one) }));
    callback(null, addresses);
  };
}

const { signal } = new AbortController();

async function download(from: WebDownload, uri: string): Promise<string> {
  const { data } = await from.open(uri, signal);
  return Buffer.concat((await data.toArray()) as Buffer[]).toString();
}

describe('a download', () => {
  it('returns the bytes and the announced size', async () => {
    const { port, url } = bound(await server((_, response) => response.end('an image')));
    const body = await web({ ports: [port] }).open(url('/a?b=c'), signal);
    expect(body.announcedSize).toBe(8);
    expect(Buffer.concat((await body.data.toArray()) as Buffer[]).toString()).toBe('an image');
  });

  it('asks for uncompressed bytes, without revealing the user', async () => {
    const started = await server((_, response) => response.end());
    await download(web({ ports: [started.port] }), started.url('/a?b=c'));
    expect(started.requests[0]?.url).toBe('/a?b=c');
    expect(started.requests[0]?.headers).toEqual({
      host: `127.0.0.1:${started.port}`,
      connection: 'keep-alive',
      'accept-encoding': 'identity',
      'user-agent': 'Cumulet-Images',
    });
  });

  it('has no size if the server announces none', async () => {
    const { port, url } = bound(
      await server((_, response) => {
        response.write('an ');
        response.end('image');
      }),
    );
    const body = await web({ ports: [port] }).open(url('/'), signal);
    expect(body.announcedSize).toBeUndefined();
    expect(Buffer.concat((await body.data.toArray()) as Buffer[]).toString()).toBe('an image');
  });

  it('ends when aborted', async () => {
    const { port, url } = bound(await server((_, response) => response.write('a')));
    const unwanted = new AbortController();
    const { data } = await web({ ports: [port] }).open(url('/'), unwanted.signal);
    unwanted.abort(new Error('the image was deleted'));
    await expect(data.toArray()).rejects.toThrow('the image was deleted');
  });

  it.each([404, 403, 500, 206, 304, 300])('fails on status %d', async (status) => {
    const { port, url, host } = bound(
      await server((_, response) => response.writeHead(status).end()),
    );
    await expect(download(web({ ports: [port] }), url('/?hunter2'))).rejects.toThrow(
      `The download from ${host} failed: the server answered ${status}.`,
    );
  });

  it('fails if the data ends before its announced size', async () => {
    const { port, url, host } = bound(
      await server((_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('half', () => response.destroy());
      }),
    );
    await expect(download(web({ ports: [port] }), url('/'))).rejects.toThrow(
      `The download from ${host} broke off: it closed the connection.`,
    );
  });

  it('fails if data of unknown size breaks off', async () => {
    const { port, url, host } = bound(
      await server((_, response) => void response.write('half', () => response.destroy())),
    );
    await expect(download(web({ ports: [port] }), url('/'))).rejects.toThrow(
      `The download from ${host} broke off`,
    );
  });

  it.each([
    ['an answer', () => undefined],
    ['its data', (_, response) => void response.writeHead(200).write('a')],
  ] satisfies [string, RequestListener][])('waits only so long for %s', async (_, answer) => {
    const { port, url, host } = bound(await server(answer));
    await expect(download(web({ ports: [port], silenceSeconds: 1 }), url('/'))).rejects.toThrow(
      `The download from ${host} broke off: it sent nothing for 1 seconds.`,
    );
  });

  it('ends a slow but steady one', async () => {
    const dripping: RequestListener = (_, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.once('close', () => clearInterval(timer));
    };
    const { port, url, host } = bound(await server(dripping));
    const leastSpeed = { bytesPerSecond: 1_024, overSeconds: 0.2 };
    await expect(download(web({ ports: [port], leastSpeed }), url('/'))).rejects.toThrow(
      `The download from ${host} was aborted: it was slower than 1024 bytes per second.`,
    );
  });

  it('says that nobody answers', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => unused.once('listening', resolve));
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    await expect(download(web({ ports: [port] }), `http://127.0.0.1:${port}/`)).rejects.toThrow(
      `The download from 127.0.0.1:${port} broke off: it refuses connections.`,
    );
  });

  it('says that the answer is not HTTP', async () => {
    const noise = createServer((socket) => {
      socket.end('SSH-2.0-OpenSSH_9.2\r\n', () => socket.destroy());
    });
    await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve));
    opened.push({ stop: () => new Promise((resolve) => noise.close(() => resolve())) });
    const { port } = noise.address() as AddressInfo;
    const failure = download(web({ ports: [port] }), `http://127.0.0.1:${port}/`);
    await expect(failure).rejects.toThrow('broke off: what it sent could not be read.');
    await expect(failure).rejects.not.toThrow('OpenSSH');
  });
});

describe('a forbidden host', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433'])(
    'is refused without a connection: %s',
    async (host) => {
      const started = await server((_, response) => response.end('secret'));
      const guarded = web({ ports: [started.port], mayConnect: isPublicAddress });
      await expect(download(guarded, started.url('/', host))).rejects.toThrow(
        'has no address that images may be downloaded from.',
      );
      expect(started.connections).toBe(0);
    },
  );

  it('is refused by its resolved address', async () => {
    const started = await server((_, response) => response.end('secret'));
    const resolve = resolving(['127.0.0.1', '::1', '10.0.0.1', '::ffff:127.0.0.1']);
    const guarded = web({ ports: [started.port], mayConnect: isPublicAddress, resolve });
    await expect(download(guarded, started.url('/', 'images.example'))).rejects.toThrow(
      'Its host images.example has no address that images may be downloaded from.',
    );
    expect(started.connections).toBe(0);
  });

  it('is resolved once, so a later address does not count', async () => {
    const started = await server((_, response) => response.end('secret'));
    let asked = 0;
    const rebinding = resolving(['192.0.2.1'], ['127.0.0.1']);
    const resolve: typeof rebinding = (...query) => {
      asked += 1;
      rebinding(...query);
    };
    const guarded = web({
      ports: [started.port],
      mayConnect: isPublicAddress,
      resolve,
      connectSeconds: 1,
    });
    await expect(download(guarded, started.url('/', 'rebind.example'))).rejects.toThrow();
    expect([asked, started.connections]).toEqual([1, 0]);
  });

  it('is indistinguishable from an unknown one', async () => {
    const nowhere: NonNullable<DownloadOptions['resolve']> = (_host, _options, callback) => {
      callback(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), []);
    };
    const messages = await Promise.all(
      [nowhere, resolving(['10.0.0.1'])].map((resolve) =>
        download(web({ mayConnect: isPublicAddress, resolve }), 'http://internal.example/').catch(
          (error: unknown) => (error as Error).message,
        ),
      ),
    );
    expect(messages[0]).toBe(messages[1]);
  });
});

describe('a redirect', () => {
  const redirecting =
    (to: (port: number) => string): RequestListener =>
    (request, response) => {
      if (request.url === '/there') response.end('an image');
      else {
        const location = to(request.socket.localPort ?? 0);
        response.writeHead(302, { location }).end('elsewhere');
      }
    };

  it.each([301, 302, 303, 307, 308])('of status %d is followed', async (status) => {
    const { port, url } = bound(
      await server((request, response) => {
        if (request.url === '/there') response.end('an image');
        else response.writeHead(status, { location: '/there' }).end();
      }),
    );
    expect(await download(web({ ports: [port] }), url('/here'))).toBe('an image');
  });

  it('is followed five times, and no more', async () => {
    const { port, url } = bound(
      await server((request, response) => {
        const level = Number(request.url?.slice(1));
        if (level === 0) response.end('an image');
        else response.writeHead(302, { location: `/${level - 1}` }).end();
      }),
    );
    expect(await download(web({ ports: [port] }), url('/5'))).toBe('an image');
    await expect(download(web({ ports: [port] }), url('/6'))).rejects.toThrow(
      'The download was redirected more than 5 times.',
    );
  });

  it('in a circle ends', async () => {
    const next: Record<string, string> = { '/a': '/b', '/b': '/c', '/c': '/d', '/d': '/a' };
    const started = await server((request, response) => {
      response.writeHead(302, { location: next[request.url ?? ''] }).end();
    });
    await expect(download(web({ ports: [started.port] }), started.url('/a'))).rejects.toThrow(
      'The download was redirected more than 5 times.',
    );
    expect(started.requests).toHaveLength(6);
  });

  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://169.254.169.254',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://2130706433',
  ])('to %s is refused, though it comes from a host that is allowed', async (to) => {
    const started = await server(redirecting((port) => `${to}:${port}/there`));
    // One address of this machine counts as public.
    const mayConnect = (address: string): boolean =>
      address === '127.0.0.9' || isPublicAddress(address);
    const guarded = web({ ports: [started.port], mayConnect });
    expect(await download(guarded, started.url('/there', '127.0.0.9'))).toBe('an image');
    await expect(download(guarded, started.url('/here', '127.0.0.9'))).rejects.toThrow(
      'has no address that images may be downloaded from.',
    );
    expect(started.requests.map(({ url }) => url)).toEqual(['/there', '/here']);
  });

  it.each([
    ['file:///etc/passwd', `Its scheme must be http or https; 'file' is not.`],
    ['http://127.0.0.1:22/', 'Its port must be one of'],
    ['http://me:pw@127.0.0.1/', 'It must contain neither a user name nor a password.'],
    ['http://[', 'It is not a valid web address.'],
  ])('to %s is refused', async (location, reason) => {
    const { port, url } = bound(await server(redirecting(() => location)));
    await expect(download(web({ ports: [80, port] }), url('/here'))).rejects.toThrow(reason);
  });

  it('without a location is an ordinary answer', async () => {
    const { port, url } = bound(await server((_, response) => response.writeHead(302).end()));
    await expect(download(web({ ports: [port] }), url('/'))).rejects.toThrow('answered 302');
  });
});

interface Bound {
  readonly port: number;
  readonly host: string;
  url(path: string): string;
}

function bound(started: WebServer): Bound {
  const { port } = started;
  return { port, host: `127.0.0.1:${port}`, url: (path) => started.url(path) };
}
