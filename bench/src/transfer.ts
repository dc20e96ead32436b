/** An image's bytes, up to a service and down again, with the time taken. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

const WRITE_BYTES = 256 * 1024;

/** Random bytes, repeated to the wanted size, and their hashes. */
export class ImageBytes {
  readonly #pattern = randomBytes(64 * 1024 * 1024);
  readonly checksum: string;
  readonly hashValue: string;

  constructor(readonly size: number) {
    const hashes = [createHash('md5'), createHash('sha512')];
    for (const piece of this.pieces()) for (const hash of hashes) hash.update(piece);
    [this.checksum = '', this.hashValue = ''] = hashes.map((hash) => hash.digest('hex'));
  }

  *pieces(): Iterable<Buffer> {
    for (let at = 0; at < this.size; at += WRITE_BYTES) {
      yield this.#piece(at, Math.min(WRITE_BYTES, this.size - at));
    }
  }

  /** Whether `chunk` has the expected bytes for this position. */
  matches(chunk: Buffer, position: number): boolean {
    const end = this.#pattern.length - (position % this.#pattern.length);
    if (chunk.length > end) {
      return (
        this.matches(chunk.subarray(0, end), position) &&
        this.matches(chunk.subarray(end), position + end)
      );
    }
    return this.#piece(position, chunk.length).equals(chunk);
  }

  #piece(position: number, length: number): Buffer {
    const from = position % this.#pattern.length;
    return this.#pattern.subarray(from, from + length);
  }
}

/** @returns seconds from the first byte sent to the answer, and the answer's body */
export async function upload(
  url: string,
  bytes: ImageBytes,
  headers: OutgoingHttpHeaders,
): Promise<{ seconds: number; body: string }> {
  const request = httpRequest(url, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': bytes.size,
      ...headers,
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const began = performance.now();
  for (const piece of bytes.pieces()) if (!request.write(piece)) await once(request, 'drain');
  request.end();
  const [response] = await answered;
  const body = (await buffer(response)).toString();
  requireSuccess(response, body);
  return { seconds: (performance.now() - began) / 1000, body };
}

/** Compares every byte. @returns seconds from the request to the last byte */
export async function download(
  url: string,
  bytes: ImageBytes,
  headers: OutgoingHttpHeaders,
): Promise<number> {
  const request = httpRequest(url, { headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const began = performance.now();
  request.end();
  const [response] = await answered;
  if (response.statusCode !== 200) requireSuccess(response, (await buffer(response)).toString());
  let received = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (!bytes.matches(chunk, received)) throw new Error(`other bytes came at ${received}`);
    received += chunk.length;
  }
  if (received !== bytes.size) throw new Error(`${received} of ${bytes.size} bytes came`);
  return (performance.now() - began) / 1000;
}

function requireSuccess({ statusCode = 0 }: IncomingMessage, body: string): void {
  if (statusCode < 200 || statusCode > 299) throw new Error(`answered ${statusCode}: ${body}`);
}
