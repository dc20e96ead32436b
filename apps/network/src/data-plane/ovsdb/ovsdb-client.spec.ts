import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { JsonSplitter } from './json-splitter.js';
import { OvsdbClient } from './ovsdb-client.js';
import { OvsdbTransactionError, OvsdbUnavailableError } from './ovsdb.errors.js';

interface Asked {
  readonly id: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly result?: unknown;
}

const SCHEMA = {
  tables: {
    Port: {
      columns: {
        name: { type: 'string' },
        up: { type: { key: 'boolean', min: 0, max: 1 } },
      },
    },
  },
};

let folder: string;
let server: Server;
let sockets: Socket[];
let asked: Asked[];
let initial: object;
/** What the server says of its databases. */
let status: object;
let client: OvsdbClient;
/** The answer to a transaction, and what comes before it. */
let transacted: { before: object[]; results: object[] };

const send = (message: object): void => void sockets.at(-1)?.write(JSON.stringify(message));
const update = (changes: object): object => ({
  method: 'update2',
  params: ['rows', { Port: changes }],
  id: null,
});

function answer(message: Asked, socket: Socket): void {
  asked.push(message);
  const reply = (result: unknown): void =>
    void socket.write(JSON.stringify({ id: message.id, result, error: null }));
  if (message.method === 'get_schema') reply(SCHEMA);
  if (message.method === 'monitor_cond' && message.params?.[0] === '_Server') reply(status);
  else if (message.method === 'monitor_cond') {
    reply({ Port: initial });
    // In the same chunk as the answer.
    send(update({ b: { insert: { name: 'b' } } }));
  }
  if (message.method === 'transact') {
    for (const one of transacted.before) socket.write(JSON.stringify(one));
    reply(transacted.results);
  }
}

async function listen(): Promise<void> {
  server = createServer((socket) => {
    sockets.push(socket);
    const splitter = new JsonSplitter();
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      for (const text of splitter.push(chunk)) answer(JSON.parse(text) as Asked, socket);
    });
  });
  server.listen(join(folder, 'db.sock'));
  await once(server, 'listening');
}

async function close(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-ovsdb-'));
  [sockets, asked, initial] = [[], [], { a: { initial: { name: 'a', up: true } } }];
  transacted = { before: [], results: [] };
  status = {};
  client = new OvsdbClient({
    address: `unix:${join(folder, 'db.sock')}`,
    database: 'OVN_Northbound',
    tables: { Port: ['name', 'up'] },
  });
});
afterEach(async () => {
  client.stop();
  if (server.listening) await close();
  await rm(folder, { recursive: true });
});

describe('OvsdbClient', () => {
  it('has all rows, and those that follow immediately', async () => {
    await listen();
    client.start();
    await client.ready();
    expect([...client.rows.of('Port')]).toEqual([
      ['a', { name: 'a', up: [true] }],
      ['b', { name: 'b', up: [] }],
    ]);
  });

  it('answers echoes', async () => {
    await listen();
    client.start();
    await client.ready();
    send({ method: 'echo', params: ['still there?'], id: 'echo' });
    await eventually('the echo is answered', () => asked.some(({ id }) => id === 'echo'));
    expect(asked.at(-1)).toMatchObject({ id: 'echo', result: ['still there?'] });
  });

  it('reports changes, and has them before it reports a transaction as done', async () => {
    await listen();
    client.start();
    await client.ready();
    const told: unknown[] = [];
    client.onChange((changes) => told.push(...changes));
    transacted = {
      before: [update({ a: { modify: { up: ['set', []] } } })],
      results: [{ count: 1 }],
    };
    expect(await client.transact([{ op: 'delete', table: 'Port', id: 'x' }])).toEqual([1]);
    expect(client.rows.find('Port', 'a')).toEqual({ name: 'a', up: [] });
    expect(told).toMatchObject([{ id: 'a', before: { up: [true] }, after: { up: [] } }]);
  });

  it('says why a transaction was refused, also after the last operation', async () => {
    await listen();
    client.start();
    await client.ready();
    const refused = { error: 'referential integrity violation', details: 'no such row' };
    transacted = { before: [], results: [{ count: 1 }, refused] };
    const done = client.transact([{ op: 'delete', table: 'Port', id: 'x' }]);
    await expect(done).rejects.toMatchObject({ code: refused.error, isConflict: true });
    await expect(done).rejects.toBeInstanceOf(OvsdbTransactionError);
  });

  it('connects once the server starts, and again after it restarts, and sees what changed', async () => {
    client.start();
    const none = client.transact([{ op: 'delete', table: 'Port', id: 'x' }]);
    await expect(none).rejects.toBeInstanceOf(OvsdbUnavailableError);
    await listen();
    await client.ready();
    await close();
    const told: unknown[] = [];
    client.onChange((changes) => told.push(...changes));
    initial = { c: { initial: { name: 'c' } } };
    await listen();
    await eventually(
      'the rows are those of now',
      () => client.rows.find('Port', 'c') !== undefined,
    );
    expect(client.rows.find('Port', 'a')).toBeUndefined();
    expect(told).toContainEqual({
      table: 'Port',
      id: 'a',
      after: undefined,
      before: { name: 'a', up: [true] },
    });
  });
});
