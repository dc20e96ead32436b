import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toProblem } from '@cumulet/common/http/error-envelope';
import { asId } from '@cumulet/common/context/ids';
import { asBearer, asService, type Actor, type Origin } from './actor.js';
import type { Credentials } from './credentials.js';
import { ServiceClient, type ServiceClientOptions } from './service-client.js';
import { ServiceRefusedError, ServiceUnavailableError } from './service-client-errors.js';

let server: Server | undefined;
let client: ServiceClient | undefined;

afterEach(async () => {
  await client?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/** A client of a server that answers like this. */
async function against(
  listener: RequestListener,
  options: Partial<ServiceClientOptions> = {},
): Promise<ServiceClient> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  client = new ServiceClient({
    service: 'images',
    baseUrl: `http://127.0.0.1:${port}/image/`,
    ...options,
  });
  return client;
}

const origin: Origin = { requestId: asId('req-own'), globalRequestId: undefined };

/** Answers with what it was asked. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};

const answer =
  (status: number, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body);
  };

/** Has these tokens, each until it is refused. */
function issuing(tokens: readonly string[]): Credentials {
  const left = [...tokens];
  return {
    of: () => Promise.resolve({ token: left[0] ?? '' }),
    invalidate: () => void left.shift(),
  };
}

const refusal = JSON.stringify({ itemNotFound: { code: 404, message: 'No image x.' } });

describe('ServiceClient', () => {
  it('sends requests below the base URL, with token, request ID and query', async () => {
    const { body } = await (
      await against(echo)
    ).send({
      path: '/v2/images',
      query: { limit: 5, marker: undefined, name: 'a b' },
      actor: { ...asBearer('t0ken'), origin },
    });
    expect(body).toMatchObject({
      method: 'GET',
      url: '/image/v2/images?limit=5&name=a%20b',
      headers: { 'x-auth-token': 't0ken', 'x-openstack-request-id': 'req-own' },
    });
  });

  it("passes the caller's global request ID on in place of its own", async () => {
    const { body } = await (
      await against(echo)
    ).send({
      path: '/',
      actor: { ...asBearer('t0ken'), origin: { ...origin, globalRequestId: asId('req-global') } },
    });
    expect(body).toMatchObject({ headers: { 'x-openstack-request-id': 'req-global' } });
  });

  it('sends JSON, and streams as they are', async () => {
    const images = await against(echo);
    const json = await images.send({ method: 'POST', path: '/', json: { a: 1 } });
    expect(json.body).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    const stream = await images.send({
      method: 'PUT',
      path: '/',
      headers: { 'content-type': 'application/octet-stream' },
      stream: Readable.from([Buffer.from('by'), Buffer.from('tes')]),
    });
    expect(stream.body).toMatchObject({
      headers: { 'content-type': 'application/octet-stream' },
      body: 'bytes',
    });
  });

  it('returns a body as a stream', async () => {
    const { body } = await (await against(answer(200, 'bytes'))).open({ path: '/' });
    expect(Buffer.concat(await body.toArray()).toString()).toBe('bytes');
  });

  it('has no body where the service sends none', async () => {
    const { status, body } = await (await against(answer(204, ''))).send({ path: '/' });
    expect([status, body]).toEqual([204, undefined]);
  });

  it('distinguishes refusals from a 404', async () => {
    const images = await against(answer(404, refusal));
    expect(await images.find({ path: '/' })).toBeUndefined();
    const error: unknown = await images.send({ path: '/' }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ServiceRefusedError);
    expect(error).toMatchObject({ status: 404, serviceMessage: 'No image x.' });
  });

  it('does not treat a 404 of identity as one of the service', async () => {
    const images = await against(answer(200, '{}'), {
      credentials: {
        of: () => Promise.reject(new ServiceRefusedError('identity', 404, 'No such project.')),
        invalidate: () => undefined,
      },
    });
    await expect(images.find({ path: '/', actor: asService() })).rejects.toThrow(
      'No such project.',
    );
  });

  it.each([
    ['an error of the service', answer(500, '{}')],
    ['a gateway without JSON', answer(502, '<html>')],
    ['a body that is not JSON', answer(200, '<html>')],
    ['a broken connection', (request) => request.socket.destroy()],
    [
      'an answer that breaks off',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': 100 });
        response.write('{"a":');
        response.socket?.end();
      },
    ],
  ] satisfies [string, RequestListener][])('calls it unavailable: %s', async (_, listener) => {
    const images = await against(listener);
    const error: unknown = await images
      .send({ path: '/', actor: asBearer('s3cret') })
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ kind: 'unavailable', retryAfter: 5 });
    expect((error as Error).message).toBe('The images service cannot be reached at present.');
  });

  it.each([400, 403, 404, 409, 413, 422, 501])(
    'treats %i as a refusal, with the message and the status of the service',
    async (status) => {
      const images = await against(answer(status, refusal));
      const error: unknown = await images
        .send({ path: '/', actor: asBearer('one') })
        .catch((one: unknown) => one);
      expect(error).toBeInstanceOf(ServiceRefusedError);
      expect((error as Error).message).toBe(
        `The images service refused with status ${status}: No image x.`,
      );
      // Whoever does not expect it answers its own caller alike.
      expect(toProblem(error, 'req').status).toBe(status);
    },
  );

  it('is an internal error if the service itself is refused', async () => {
    const images = await against(answer(403, refusal), { credentials: issuing(['own']) });
    const error: unknown = await images
      .send({ path: '/', actor: asService() })
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ kind: 'forbidden', forOperator: true });
  });

  it.each([408, 429, 500, 502, 503, 504])('may be retried after %i', async (status) => {
    const images = await against(answer(status, refusal));
    await expect(images.send({ path: '/' })).rejects.toThrow(ServiceUnavailableError);
  });

  it('gives up on a service that does not answer in time', async () => {
    const images = await against(() => undefined, { responseTimeout: 50 });
    await expect(images.send({ path: '/' })).rejects.toThrow(ServiceUnavailableError);
  });

  it('never has the token in an error, at any depth', async () => {
    for (const listener of [answer(403, refusal), answer(500, '{}')]) {
      const images = await against(listener);
      const request = { path: '/', actor: asBearer('s3cret-token') };
      const error: unknown = await images.send(request).catch((one: unknown) => one);
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('s3cret');
      await images.close();
      const closed: unknown = await images.send(request).catch((one: unknown) => one);
      expect(closed).toBeInstanceOf(ServiceUnavailableError);
      expect(inspect(closed, { depth: Infinity, showHidden: true })).not.toContain('s3cret');
      server?.closeAllConnections();
      server?.close();
    }
  });

  describe('creating', () => {
    const created = JSON.stringify({ id: 'one' });

    /** Answers the first requests like this, and the others with what was created. */
    async function afterFailures(...failures: readonly RequestListener[]) {
      const keys: (string | string[] | undefined)[] = [];
      const left = [...failures];
      const images = await against(
        (request, response) => {
          keys.push(request.headers['idempotency-key']);
          (left.shift() ?? answer(201, created))(request, response);
        },
        { retryPauses: [0, 0] },
      );
      return { images, keys };
    }

    it('is retried with the same key if the answer is lost', async () => {
      const { images, keys } = await afterFailures(
        (request) => request.socket.destroy(),
        answer(503, '{}'),
      );
      const { status, body } = await images.create({ path: '/v2/images', json: { name: 'x' } });
      expect([status, body]).toEqual([201, { id: 'one' }]);
      expect(keys).toHaveLength(3);
      expect(keys[0]).toMatch(/^[\w-]{36}$/);
      expect(new Set(keys).size).toBe(1);
    });

    it('waits for a request with its key that is still under way', async () => {
      const underWay: RequestListener = (_, response) => {
        response.writeHead(409, { 'Content-Type': 'application/json', 'Retry-After': '1' });
        response.end(refusal);
      };
      const { images } = await afterFailures(underWay);
      expect((await images.create({ path: '/', json: {} })).body).toEqual({ id: 'one' });
    });

    it('uses the key of the caller, or a new one for each call', async () => {
      const { images, keys } = await afterFailures();
      await images.create({ path: '/', json: {}, idempotencyKey: 'server-1:port' });
      for (const json of [{}, {}]) await images.create({ path: '/', json });
      expect(keys[0]).toBe('server-1:port');
      expect(new Set(keys).size).toBe(3);
    });

    it.each([409, 400])('is not retried after %i', async (status) => {
      const { images, keys } = await afterFailures(answer(status, refusal));
      await expect(images.create({ path: '/', json: {} })).rejects.toThrow(ServiceRefusedError);
      expect(keys).toHaveLength(1);
    });

    it('gives up after three tries', async () => {
      const { images, keys } = await afterFailures(...[1, 2, 3, 4].map(() => answer(503, '{}')));
      await expect(images.create({ path: '/', json: {} })).rejects.toThrow(ServiceUnavailableError);
      expect(keys).toHaveLength(3);
    });
  });

  describe('a refused token', () => {
    /** Refuses every token but this one, and tells which were shown. */
    function taking(good: string): { listener: RequestListener; shown: unknown[] } {
      const shown: unknown[] = [];
      const listener: RequestListener = (request, response) => {
        const token = request.headers['x-auth-token'];
        shown.push(token);
        request.resume();
        answer(token === good ? 200 : 401, token === good ? '{}' : refusal)(request, response);
      };
      return { listener, shown };
    }

    it.each(['service', 'trustor'] as const)('is replaced once: of a %s', async (as) => {
      const actor: Actor = as === 'service' ? { as } : { as, trustId: 't' };
      const { listener, shown } = taking('new');
      const credentials = issuing(['revoked', 'new']);
      const images = await against(listener, { credentials });
      await expect(images.send({ path: '/', actor })).resolves.toMatchObject({ status: 200 });
      expect(shown).toEqual(['revoked', 'new']);
    });

    it('is a refusal if the new one is refused too', async () => {
      const { listener, shown } = taking('none');
      const images = await against(listener, { credentials: issuing(['one', 'two', 'three']) });
      const error: unknown = await images
        .send({ path: '/', actor: asService() })
        .catch((one: unknown) => one);
      expect(error).toMatchObject({ status: 401, kind: 'bug' });
      expect(shown).toEqual(['one', 'two']);
    });

    it('is a refusal at once if the caller has no other', async () => {
      const { listener, shown } = taking('none');
      const images = await against(listener);
      const error: unknown = await images
        .send({ path: '/', actor: asBearer('expired') })
        .catch((one: unknown) => one);
      expect(error).toMatchObject({ status: 401, kind: 'unauthenticated' });
      expect(shown).toEqual(['expired']);
    });

    it('sends no stream twice, and has a new token for the next request', async () => {
      const { listener, shown } = taking('new');
      const images = await against(listener, { credentials: issuing(['revoked', 'new']) });
      const actor = asService();
      const stream = Readable.from([Buffer.from('bytes')]);
      const sent = images.send({ method: 'PUT', path: '/', actor, stream });
      await expect(sent).rejects.toThrow(ServiceRefusedError);
      await images.send({ path: '/', actor });
      expect(shown).toEqual(['revoked', 'new']);
    });
  });

  it('cannot act as the service without its credentials', async () => {
    const images = await against(echo);
    await expect(images.send({ path: '/', actor: asService() })).rejects.toThrow(
      'a client without credentials cannot act as service',
    );
  });

  it('follows no redirect', async () => {
    const images = await against((_, response) => {
      response.writeHead(302, { Location: 'http://elsewhere.example/' });
      response.end();
    });
    await expect(images.send({ path: '/' })).rejects.toThrow(ServiceRefusedError);
  });
});
