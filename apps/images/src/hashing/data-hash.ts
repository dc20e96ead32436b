/**
 * The MD5 and SHA-512 of a stream, computed on a separate thread.
 *
 * Always holds: only a few blocks wait to be hashed, however fast bytes arrive. A chunk is copied
 * before `update` returns, so its owner may pass it on.
 */
import { createHash } from 'node:crypto';
import type { DataDigests } from './hash-thread.js';
import { beginHashJob, type HashJob } from './hash-threads.js';

const BLOCK_BYTES = 256 * 1024;
const MAX_BLOCKS = 8;

export class DataHash {
  #block: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #filled = 0;
  #blocks = 0;
  /** Blocks being hashed, oldest first. */
  readonly #busy: Promise<ArrayBuffer>[] = [];
  /** None until enough data has come to be worth a thread. */
  #job: HashJob | undefined;
  #isEnded = false;

  /** Await it before the next call: it waits while all blocks are in use. */
  async update(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#filled === this.#block.length) await this.#nextBlock();
      const taken = Math.min(rest.length, this.#block.length - this.#filled);
      rest.copy(this.#block, this.#filled, 0, taken);
      this.#filled += taken;
      rest = rest.subarray(taken);
    }
  }

  /** Call it once, after the last chunk. */
  async digest(): Promise<DataDigests> {
    if (!this.#job) return this.#digestHere();
    this.#hand();
    const digests = await this.#job.digest();
    this.end();
    return digests;
  }

  /** Releases what a stream that never ended holds; may be called at any time. */
  end(): void {
    this.#isEnded = true;
    this.#job?.end();
    this.#job = undefined;
  }

  #digestHere(): DataDigests {
    const data = this.#block.subarray(0, this.#filled);
    const digest = (algorithm: string): string => createHash(algorithm).update(data).digest('hex');
    return { md5: digest('md5'), sha512: digest('sha512') };
  }

  async #nextBlock(): Promise<void> {
    if (this.#filled > 0) this.#hand();
    this.#filled = 0;
    this.#block = Buffer.from(await this.#freeBlock());
  }

  #hand(): void {
    // Its threads are released; the sender gets the error from its own stream.
    if (this.#isEnded) return;
    this.#job ??= beginHashJob();
    const hashed = this.#job.update(this.#block.buffer, this.#filled);
    // Its error is handled when the block's turn comes.
    hashed.catch(() => undefined);
    this.#busy.push(hashed);
  }

  async #freeBlock(): Promise<ArrayBuffer> {
    if (this.#blocks < MAX_BLOCKS) {
      this.#blocks += 1;
      return new ArrayBuffer(BLOCK_BYTES);
    }
    return (await this.#busy.shift()) ?? new ArrayBuffer(BLOCK_BYTES);
  }
}
