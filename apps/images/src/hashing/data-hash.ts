/**
 * The MD5 and SHA-512 of a stream, computed on a separate thread.
 *
 * Always holds: only a few blocks wait to be hashed, however fast bytes arrive. A chunk is copied
 * before `update` returns, so its owner may pass it on.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type DataDigests, type HashReply, type HashRequest, hashThread } from './hash-thread.js';

const BLOCK_BYTES = 256 * 1024;
const MAX_BLOCKS = 8;

export class DataHash {
  #block: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #filled = 0;
  #blocks = 0;
  /** Blocks being hashed, oldest first. */
  readonly #busy: Promise<ArrayBuffer>[] = [];
  /** Undefined until there is enough data to be worth a thread. */
  #job: HashJob | undefined;
  #isEnded = false;

  /** Waits while all blocks are in use; await each call before the next. */
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
    // The thread was released; the sender gets the error from its own stream.
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

/** With more, the disk is the bottleneck. */
const MAX_THREADS = 8;

/** Megabytes: enough for the states of a few hashes. Blocks belong to the caller. */
const HEAP = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** The hashing of one stream. */
interface HashJob {
  /** Resolves with the block once it is hashed. */
  update(block: ArrayBuffer, length: number): Promise<ArrayBuffer>;
  digest(): Promise<DataDigests>;
  /** Call this once, with or without a digest before. */
  end(): void;
}

interface Waiting {
  readonly resolve: (reply: HashReply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Hashes off the thread that serves requests. Threads are created on first use, are shared by all
 * streams of the process, and do not keep it alive.
 */
class HashThread {
  readonly #worker = new Worker(`(${hashThread.toString()})()`, {
    eval: true,
    resourceLimits: HEAP,
  });
  /** In the order of requests, which is also the order of the answers. */
  readonly #waiting: Waiting[] = [];
  #lastJob = 0;
  jobs = 0;
  isDead = false;

  constructor() {
    this.#worker.on('message', (reply: HashReply) => this.#waiting.shift()?.resolve(reply));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a hash thread ended')));
    this.#worker.unref();
  }

  begin(): HashJob {
    this.#lastJob += 1;
    const job = this.#lastJob;
    this.jobs += 1;
    this.#worker.ref();
    return {
      update: async (block, length) => {
        const reply = await this.#ask({ kind: 'update', job, block, length }, [block]);
        return 'block' in reply ? reply.block : outOfTurn();
      },
      digest: async () => {
        const reply = await this.#ask({ kind: 'digest', job });
        return 'digests' in reply ? reply.digests : outOfTurn();
      },
      end: () => {
        this.#worker.postMessage({ kind: 'drop', job } satisfies HashRequest);
        this.jobs -= 1;
        if (this.jobs === 0) this.#worker.unref();
      },
    };
  }

  #ask(request: HashRequest, handedOver: readonly ArrayBuffer[] = []): Promise<HashReply> {
    if (this.isDead) return Promise.reject(new Error('a hash thread ended'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, handedOver);
    });
  }

  #fail(error: Error): void {
    this.isDead = true;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function outOfTurn(): never {
  throw new Error('a hash thread answered out of turn');
}

let threads: HashThread[] = [];

/** Computes a stream's hashes on the thread with the fewest streams. */
function beginHashJob(): HashJob {
  threads = threads.filter(({ isDead }) => !isDead);
  const [idlest] = [...threads].sort((one, other) => one.jobs - other.jobs);
  const isEnough = threads.length >= Math.min(MAX_THREADS, availableParallelism());
  if (idlest && (idlest.jobs === 0 || isEnough)) return idlest.begin();
  const thread = new HashThread();
  threads.push(thread);
  return thread.begin();
}
