/** Real servers at several loopback addresses, under a name that the tests resolve. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { UNHANDLED_HEADER } from '@cumulet/common/service/drain';
import { Replicas, type ReplicaOptions, type ReplicaRequest } from './replicas.js';

const [ONE, TWO, THREE] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

/** A service `images` with replicas that come and go. */
class Images {
  /** What the name resolves to; none: it is not found. */
  addresses: readonly string[] = [];
  lookups = 0;
  now = 0;
  /** Called at each lookup. */
  onLookup: () => unknown = () => undefined;
  readonly handled: { at: string; body: string }[] = [];
  readonly #servers = new Map<string, Server>();
  #port = 0;
  #client: Replicas | undefined;

  /** @param handle answers in place of 200 with the address as body */
  async start(address: string, handle?: RequestListener): Promise<void> {
    const server = createServer((request, response) => {
      if (handle) {
        handle(request, response);
        return;
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.handled.push({ at: address, body: Buffer.concat(chunks).toString() });
        response.end(address);
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, address, resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#servers.set(address, server);
  }

  async kill(address: string): Promise<void> {
    const server = this.#servers.get(address);
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    this.#servers.delete(address);
  }

  client(options: ReplicaOptions = {}): Replicas {
    this.#client ??= new Replicas(`http://images:${this.#port}`, {
      lookup: async () => {
        this.lookups += 1;
        await this.onLookup();
        if (this.addresses.length > 0) return this.addresses;
        throw Object.assign(new Error('getaddrinfo ENOTFOUND images'), { code: 'ENOTFOUND' });
      },
      clock: () => this.now,
      unhandledPauses: [0, 0, 0],
      ...options,
    });
    return this.#client;
  }

  /** @returns the address that answered */
  async ask(request: Partial<ReplicaRequest> = {}): Promise<string> {
    const { body } = await this.client().request({
      method: 'POST',
      path: '/v2/images',
      headers: {},
      body: '{}',
      ...request,
    });
    return body.text();
  }

  /** How often each address answers. */
  async asked(times: number, method: 'GET' | 'POST' = 'POST'): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (let at = 0; at < times; at += 1) {
      const address = await this.ask({ method });
      counts[address] = (counts[address] ?? 0) + 1;
    }
    return counts;
  }

  async end(): Promise<void> {
    await this.#client?.close();
    await Promise.all([...this.#servers.keys()].map((address) => this.kill(address)));
  }
}

const stopping: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(503, { [UNHANDLED_HEADER]: 'true', connection: 'close' });
  response.end('{}');
};

let images: Images;

beforeEach(async () => {
  images = new Images();
  await images.start(ONE);
  await images.start(TWO);
  images.addresses = [ONE, TWO];
});
afterEach(() => images.end());

/** Until the resolver is asked again, and resting addresses may be tried. */
function later(): void {
  images.now += 60_000;
}

describe('the replicas of a service', () => {
  it('get requests in turn', async () => {
    expect(await images.asked(6)).toEqual({ [ONE]: 3, [TWO]: 3 });
    expect(images.lookups).toBe(1);
  });

  it('share many requests at once, with one lookup', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => images.ask()));
    expect(answers.filter((address) => address === ONE)).toHaveLength(20);
    expect(images.lookups).toBe(1);
  });

  it('hear the name that they were called by', async () => {
    await images.start(THREE, (request, response) => response.end(request.headers.host));
    images.addresses = [THREE];
    expect(await images.ask()).toMatch(/^images:\d+$/);
  });

  it('get requests soon after they have come, and none when they have gone', async () => {
    await images.asked(2);
    await images.start(THREE);
    images.addresses = [TWO, THREE];
    later();
    expect(await images.asked(6)).toEqual({ [TWO]: 3, [THREE]: 3 });
  });

  it('that have gone keep no idle connection, and end what they handle', async () => {
    let answer: () => unknown = () => undefined;
    const open = new Set<unknown>();
    await images.start(THREE, ({ socket, method }, response) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      if (method === 'GET') response.end(THREE);
      else answer = () => response.end('ended');
    });
    images.addresses = [THREE];
    const slow = images.ask();
    await images.ask({ method: 'GET' });
    await eventually('each has a connection', () => open.size === 2);
    images.addresses = [ONE];
    later();
    expect(await images.ask()).toBe(ONE);
    await eventually('only the busy connection is left', () => open.size === 1);
    answer();
    expect(await slow).toBe('ended');
    await eventually('none is left', () => open.size === 0);
  });

  it('that do not answer in time keep no idle connection', async () => {
    const open = new Set<unknown>();
    await images.start(THREE, ({ socket, method }, response) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      if (method === 'GET') setImmediate(() => response.end(THREE));
    });
    images.addresses = [THREE];
    images.client({ responseTimeout: 1_000 });
    await Promise.all([images.ask({ method: 'GET' }), images.ask({ method: 'GET' })]);
    expect(open.size).toBe(2);
    await expect(images.ask()).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    await eventually('none is left', () => open.size === 0);
  });

  it('that were killed fail no request, and are not tried by each', async () => {
    await images.asked(4);
    await images.kill(TWO);
    // The first may still meet the connection of the killed one.
    expect(await images.asked(6, 'GET')).toEqual({ [ONE]: 6 });
    await images.start(TWO);
    // It rests, though it is back.
    expect(await images.asked(6, 'GET')).toEqual({ [ONE]: 6 });
    later();
    expect(Object.keys(await images.asked(6, 'GET')).sort()).toEqual([ONE, TWO]);
  });

  it('that are being stopped fail no request, whatever its method', async () => {
    await images.kill(TWO);
    await images.start(TWO, stopping);
    expect(await images.asked(6)).toEqual({ [ONE]: 6 });
    expect(images.handled).toHaveLength(6);
  });

  it('are IPv4 ones, unless there is none', async () => {
    images.addresses = ['::1', ONE];
    expect(await images.asked(4)).toEqual({ [ONE]: 4 });
    await images.start('::1');
    images.addresses = ['::1'];
    later();
    expect(await images.asked(2)).toEqual({ '::1': 2 });
  });
});

describe('a request that was never handled', () => {
  beforeEach(() => Promise.all([images.kill(ONE), images.kill(TWO)]));

  it('waits for a name that is gone for a moment', async () => {
    await images.start(ONE);
    images.addresses = [];
    images.onLookup = () => {
      if (images.lookups === 3) images.addresses = [ONE];
    };
    expect(await images.ask()).toBe(ONE);
  });

  it('is sent when the one replica is back', async () => {
    images.addresses = [ONE];
    // The resolver is asked at each attempt.
    images.client({ clock: () => (images.now += 60_000) });
    images.onLookup = () => (images.lookups === 3 ? images.start(ONE) : undefined);
    expect(await images.ask()).toBe(ONE);
  });

  it('fails after four attempts', async () => {
    images.addresses = [];
    await expect(images.ask()).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(images.lookups).toBe(4);
  });

  it('fails where its deadline would pass', async () => {
    images.addresses = [];
    images.client({ responseTimeout: 1_000, unhandledPauses: [0, 5_000] });
    await expect(images.ask()).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(images.lookups).toBe(2);
  });

  it('keeps a stream whole for the replica that takes it', async () => {
    await images.start(TWO);
    for (let at = 0; at < 2; at += 1) {
      later();
      await images.ask({
        method: 'PUT',
        body: Readable.from([Buffer.from('by'), Buffer.from('tes')]),
      });
    }
    expect(images.handled.map(({ body }) => body)).toEqual(['bytes', 'bytes']);
  });

  it('destroys the stream that it cannot send', async () => {
    const body = Readable.from([Buffer.from('bytes')]);
    await expect(images.ask({ body })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(body.destroyed).toBe(true);
  });

  it('hands on the refusal if the stream is read, or all replicas are being stopped', async () => {
    await Promise.all([images.start(ONE, stopping), images.start(TWO, stopping)]);
    const request = { method: 'PUT', path: '/', headers: {} } as const;
    const stream = Readable.from([Buffer.from('bytes')]);
    for (const body of [stream, 'bytes']) {
      const answer = await images.client().request({ ...request, body });
      expect(answer.statusCode).toBe(503);
      await answer.body.dump();
    }
  });
});

describe('a request whose connection is lost', () => {
  let attempts: number;

  beforeEach(async () => {
    attempts = 0;
    await Promise.all([images.kill(ONE), images.kill(TWO)]);
    const lose: RequestListener = (request) => {
      attempts += 1;
      request.socket.destroy();
    };
    await Promise.all([images.start(ONE, lose), images.start(TWO, lose)]);
  });

  it.each([
    ['GET', 2],
    ['HEAD', 2],
    ['POST', 1],
    ['PUT', 1],
    ['DELETE', 1],
  ] as const)('%s is sent %i times', async (method, times) => {
    const asked = images.ask({ method, body: undefined });
    await expect(asked).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(attempts).toBe(times);
  });

  it('is not sent again once its sender is gone', async () => {
    const ended = new AbortController();
    ended.abort(new Error('gone'));
    await expect(images.ask({ method: 'GET', signal: ended.signal })).rejects.toThrow('gone');
    expect(attempts).toBe(0);
  });
});
