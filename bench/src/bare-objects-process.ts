/**
 * The baseline for objects of S3: Node's own streams between a connection and a file, with the same
 * hash computed on the way in, and the bytes synced before the answer.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportOf, type BareFacts } from './protocol.js';

const folder = await mkdtemp(join(tmpdir(), 'cumulet-bench-bare-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

async function receive(file: string, request: IncomingMessage): Promise<string> {
  const hash = createHash('md5');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(request, hashing, createWriteStream(file, { flush: true }));
  return hash.digest('hex');
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://bare');
  const file = join(folder, basename(pathname));
  if (request.method === 'PUT') {
    response.setHeader('ETag', `"${await receive(file, request)}"`);
    response.end();
  } else if (request.method === 'DELETE') {
    await rm(file);
    response.end();
  } else {
    response.setHeader('Content-Length', (await stat(file)).size);
    await pipeline(createReadStream(file), response);
  }
}

await reportOf(async (): Promise<BareFacts> => {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { kind: 'bare', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
