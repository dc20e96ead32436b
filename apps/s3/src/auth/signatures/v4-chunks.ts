/**
 * Signatures of the chunks of a body, each over the one before. Public source: Amazon S3 API
 * reference, "Signature Calculations for the Authorization Header: Transferring Payload in Multiple
 * Chunks", and "… Including trailing headers".
 */
import { createHash, type Hash } from 'node:crypto';
import { requireSame } from './signature-check.js';
import { hmac, type Scope, scopeText } from './v4.js';

const EMPTY = createHash('sha256').digest('hex');

export class ChunkSignatures {
  #last: string;
  #hash: Hash = createHash('sha256');

  /** @param seed the signature of the request's headers */
  constructor(
    private readonly key: Buffer,
    private readonly scope: Scope,
    private readonly time: string,
    seed: string,
  ) {
    this.#last = seed;
  }

  /** Takes in bytes of the chunk. */
  update(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  /** @throws S3Error SignatureDoesNotMatch for other bytes than those that were signed */
  endChunk(signature: string): void {
    const hash = this.#hash.digest('hex');
    this.#hash = createHash('sha256');
    this.#require(signature, 'AWS4-HMAC-SHA256-PAYLOAD', [EMPTY, hash]);
  }

  /** @param trailer its lines, each as `name:value` with a line feed */
  endTrailer(signature: string, trailer: string): void {
    const hash = createHash('sha256').update(trailer).digest('hex');
    this.#require(signature, 'AWS4-HMAC-SHA256-TRAILER', [hash]);
  }

  #require(signature: string, kind: string, hashes: readonly string[]): void {
    const text = [kind, this.time, scopeText(this.scope), this.#last, ...hashes].join('\n');
    const own = hmac(this.key, text).toString('hex');
    requireSame(signature, own, { StringToSign: text });
    this.#last = own;
  }
}
