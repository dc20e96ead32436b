import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceRefusedError, ServiceUnavailableError } from '../http/service-client-errors.js';
import { ServiceTokenSource } from './service-token-source.js';

/** Identity as far as a token source sees it: what it answers next, and what it was asked. */
let server: Server;
let source: ServiceTokenSource;
let asked: { url: string; body: unknown }[];
let status: number;
let token: object;
let now: number;
const realNow = Date.now;

beforeEach(async () => {
  asked = [];
  status = 201;
  now = realNow();
  Date.now = () => now;
  const user = { id: 'the id of compute' };
  token = { user, issued_at: at(0), expires_at: at(1_000_000) };
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push({ url: request.url ?? '', body: JSON.parse(text) });
      response.writeHead(status, { 'X-Subject-Token': `token ${asked.length}` });
      response.end(JSON.stringify(status === 201 ? { token } : { error: { message: 'no' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const identityUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  source = new ServiceTokenSource({ identityUrl, user: 'compute', password: 'p4ss' });
});

afterEach(async () => {
  Date.now = realNow;
  await source.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Identity's clock is a day ahead of ours. */
function at(offset: number): string {
  return new Date(now + 86_400_000 + offset).toISOString();
}

describe('ServiceTokenSource', () => {
  it('asks for a token of the project service, without a catalog', async () => {
    expect(await source.token()).toBe('token 1');
    expect(asked).toEqual([
      {
        url: '/v3/auth/tokens?nocatalog=1',
        body: {
          auth: {
            identity: {
              methods: ['password'],
              password: { user: { name: 'compute', domain: { id: 'default' }, password: 'p4ss' } },
            },
            scope: { project: { name: 'service', domain: { id: 'default' } } },
          },
        },
      },
    ]);
  });

  it('shares one request', async () => {
    const tokens = await Promise.all([source.token(), source.token(), source.token()]);
    expect(new Set(tokens).size).toBe(1);
    expect(await source.token()).toBe('token 1');
    expect(asked).toHaveLength(1);
  });

  it('renews it while a fifth of its life is left, by our own clock', async () => {
    await source.token();
    now += 799_000;
    expect(await source.token()).toBe('token 1');
    now += 2_000;
    expect(await source.token()).toBe('token 2');
  });

  it('keeps the old one while it is valid and identity fails', async () => {
    await source.token();
    status = 503;
    now += 900_000;
    expect(await source.token()).toBe('token 1');
    now += 100_001;
    await expect(source.token()).rejects.toThrow(ServiceUnavailableError);
    status = 201;
    expect(await source.token()).toBe('token 4');
  });

  it('gets a new one in place of a refused one', async () => {
    const refused = await source.token();
    source.invalidate('another');
    expect(await source.token()).toBe(refused);
    source.invalidate(refused);
    expect(await source.token()).toBe('token 2');
  });

  it('gets a new one on request, although the old one is valid', async () => {
    await source.token();
    expect(await source.renew()).toBe('token 2');
    expect(await source.token()).toBe('token 2');
    status = 401;
    await expect(source.renew()).rejects.toThrow(ServiceRefusedError);
  });

  it('knows its user from its token', async () => {
    expect(await source.userId()).toBe('the id of compute');
    await source.token();
    expect(asked).toHaveLength(1);
  });

  it('asks for a token of another scope each time, and keeps its own', async () => {
    await source.token();
    const scope = { 'OS-TRUST:trust': { id: 'a trust' } };
    expect(await source.issue(scope)).toMatchObject({ value: 'token 2' });
    expect(await source.issue(scope)).toMatchObject({ value: 'token 3' });
    expect(asked.at(-1)?.body).toMatchObject({ auth: { scope } });
    expect(await source.token()).toBe('token 1');
  });

  it('refuses an answer without times or a user', async () => {
    token = {};
    await expect(source.token()).rejects.toThrow(ServiceUnavailableError);
  });

  it('reports a wrong password', async () => {
    status = 401;
    await expect(source.token()).rejects.toThrow(ServiceRefusedError);
  });
});
