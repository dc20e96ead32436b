/**
 * The baseline for the images service: Node's own streams between a connection and a file, with the
 * same two hashes computed on the way in, and the bytes synced before the answer.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportOf, type BareFacts } from './protocol.js';

const folder = await mkdtemp(join(tmpdir(), 'cumulet-bench-bare-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'image');

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hashes = [createHash('md5'), createHash('sha512')];
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const hash of hashes) hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(request, hashing, createWriteStream(file, { flush: true }));
  const [checksum, hashValue] = hashes.map((hash) => hash.digest('hex'));
  response.end(JSON.stringify({ checksum, os_hash_value: hashValue }));
}

async function give(response: ServerResponse): Promise<void> {
  response.setHeader('Content-Length', (await stat(file)).size);
  await pipeline(createReadStream(file), response);
}

async function remove(response: ServerResponse): Promise<void> {
  await rm(file);
  response.end();
}

function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'PUT') return receive(request, response);
  return request.method === 'DELETE' ? remove(response) : give(response);
}

await reportOf(async (): Promise<BareFacts> => {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { kind: 'bare', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
