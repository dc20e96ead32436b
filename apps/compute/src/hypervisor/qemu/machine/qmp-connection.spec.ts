import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QmpConnection } from './qmp-connection.js';

const GREETING = '{"QMP": {"version": {}, "capabilities": []}}\r\n';
/** For answers that come. */
const PATIENT_MS = 30_000;
/** For answers that never come. */
const HASTY_MS = 1_000;

let folder: string;
let server: Server | undefined;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-qmp-'));
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  await rm(folder, { recursive: true });
});

/** Greets, and answers each command with `answer`. */
async function fakeQemu(answer: (command: string) => string, greeting = GREETING): Promise<string> {
  const path = join(folder, 'qmp.sock');
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(greeting);
    socket.on('data', (data) => {
      const { execute } = JSON.parse(data.toString()) as { execute: string };
      socket.write(execute === 'qmp_capabilities' ? '{"return": {}}\r\n' : answer(execute));
    });
  });
  await new Promise<void>((resolve) => server?.listen(path, resolve));
  return path;
}

describe('QmpConnection', () => {
  it("returns a command's result, and ignores events", async () => {
    const path = await fakeQemu(
      (command) => `{"event": "RESUME"}\r\n{"return": {"ran": "${command}"}}\r\n`,
    );
    const connection = await QmpConnection.open(path, PATIENT_MS);
    expect(await connection.execute('query-status')).toEqual({ ran: 'query-status' });
    expect(await connection.execute('cont')).toEqual({ ran: 'cont' });
    connection.close();
  });

  it('returns the text of a refusal, and stays usable', async () => {
    const path = await fakeQemu((command) =>
      command === 'good'
        ? '{"return": 1}\n'
        : '{"error": {"class": "GenericError", "desc": "no such thing"}}\n',
    );
    const connection = await QmpConnection.open(path, PATIENT_MS);
    await expect(connection.execute('bad')).rejects.toMatchObject({
      failure: 'refused',
      message: 'no such thing',
    });
    expect(await connection.execute('good')).toBe(1);
    connection.close();
  });

  it('times out, and is closed then', async () => {
    const path = await fakeQemu(() => '');
    const connection = await QmpConnection.open(path, HASTY_MS);
    await expect(connection.execute('hang')).rejects.toMatchObject({ failure: 'no-answer' });
    await expect(connection.execute('again')).rejects.toMatchObject({ failure: 'no-answer' });
  });

  it('cannot reach a QEMU that does not greet, or is missing', async () => {
    const path = await fakeQemu(() => '', '');
    const unreachable = { failure: 'unreachable' };
    await expect(QmpConnection.open(path, HASTY_MS)).rejects.toMatchObject(unreachable);
    const nobody = join(folder, 'nobody.sock');
    await expect(QmpConnection.open(nobody, HASTY_MS)).rejects.toMatchObject(unreachable);
  });

  it('breaks off with a QEMU that sends no JSON', async () => {
    const path = await fakeQemu(() => 'HTTP/1.1 400\n');
    const connection = await QmpConnection.open(path, PATIENT_MS);
    await expect(connection.execute('query-status')).rejects.toMatchObject({
      failure: 'no-answer',
      message: 'QEMU sent what is not JSON',
    });
  });

  it('breaks off with a QEMU that never ends its line', async () => {
    const path = await fakeQemu(() => 'x'.repeat(17 * 1024 * 1024));
    const connection = await QmpConnection.open(path, PATIENT_MS);
    await expect(connection.execute('query-status')).rejects.toMatchObject({
      message: 'QEMU sent more than an answer can hold',
    });
  });
});
