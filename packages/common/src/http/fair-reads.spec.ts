import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import Fastify, { type FastifyInstance } from 'fastify';
import { shareReads } from './fair-reads.js';

let fastify: FastifyInstance;
/** The reads that have reached their handler, by number, and how to end the first of them. */
let reached: string[];
let ends: (() => void)[];
/** The requests that have arrived, waiting ones included. */
let arrived: number;

beforeEach(async () => {
  [reached, ends, arrived] = [[], [], 0];
  fastify = Fastify();
  fastify.addHook('onRequest', (_request, _reply, done) => {
    arrived += 1;
    done();
  });
  shareReads(fastify, { shared: 2, alone: 2 });
  const wait = async (name: string): Promise<void> => {
    reached.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  fastify.get<{ Params: { name: string } }>('/read/:name', async ({ params: { name } }) => {
    await wait(name);
    return name;
  });
  fastify.post<{ Params: { name: string } }>('/read/:name', async ({ params: { name } }) => {
    await wait(name);
    return name;
  });
  fastify.get('/download', () => {
    const endless = new Readable({ read: () => undefined });
    endless.push('begun');
    return endless;
  });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(async () => {
  for (const end of ends) end();
  fastify.server.closeAllConnections();
  await fastify.close();
});

const url = (path: string): string =>
  `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}${path}`;

const send = (path: string, token: string, init: RequestInit = {}): Promise<string> =>
  fetch(url(path), { ...init, headers: { 'X-Auth-Token': token } }).then((answer) => answer.text());

const has = (...names: string[]): Promise<void> =>
  eventually(`${names.join(', ')} have begun`, () => names.every((name) => reached.includes(name)));

const haveArrived = (count: number): Promise<void> =>
  eventually(`${count} requests have arrived`, () => arrived === count);

const haveConnections = (count: number): Promise<void> =>
  eventually(`${count} connections are open`, async () => (await connections()) === count);

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe('reads of one token', () => {
  it('take turns, and do not delay other tokens', async () => {
    const all = ['1', '2'].map((name) => send(`/read/${name}`, 'flood'));
    await has('1', '2');
    all.push(send('/read/3', 'flood'));
    await haveArrived(3);
    const others = send('/read/other', 'other');
    await has('other');
    expect(reached).not.toContain('3');
    for (const end of ends.splice(0)) end();
    await has('3');
    for (const end of ends.splice(0)) end();
    expect(await Promise.all([...all, others])).toEqual(['1', '2', '3', 'other']);
  });

  it('do not delay its writes', async () => {
    void send('/read/1', 'token').catch(() => undefined);
    void send('/read/2', 'token').catch(() => undefined);
    await has('1', '2');
    void send('/read/change', 'token', { method: 'POST' }).catch(() => undefined);
    await has('change');
  });

  it('do not wait for a download that has begun', async () => {
    const downloads = [1, 2, 3].map(() => get(url('/download'), withToken));
    const answers = downloads.map((each) => once(each, 'response') as Promise<[IncomingMessage]>);
    for (const [answer] of await Promise.all(answers)) answer.on('error', () => undefined);
    void send('/read/next', 'token').catch(() => undefined);
    await has('next');
    for (const each of downloads) each.destroy();
  });

  it('do not wait for one whose client has disconnected', async () => {
    const begin = (...names: string[]): ClientRequest[] =>
      names.map((name) => get(url(`/read/${name}`), withToken).on('error', () => undefined));
    const begun = begin('1', '2');
    await has('1', '2');
    const waiting = begin('3', '4');
    await haveArrived(4);
    for (const each of waiting) each.destroy();
    await haveConnections(2);
    for (const each of begun) each.destroy();
    void send('/read/next', 'token').catch(() => undefined);
    await has('next');
    expect(reached).toEqual(['1', '2', 'next']);
  });
});

const withToken = { headers: { 'X-Auth-Token': 'token' } };
