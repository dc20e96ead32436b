/**
 * Threads that hash, to relieve the thread that serves requests. They are created on first use, are
 * shared by all streams of the process, and do not keep it alive.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { hashThread, type DataDigests, type HashReply, type HashRequest } from './hash-thread.js';

/** With more, the disk is the bottleneck. */
const MAX_THREADS = 8;

/** It holds the states of a few hashes, and blocks that belong to others. */
const HEAP = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** One stream on a thread. */
export interface HashJob {
  /** Takes the block, and returns it once it is hashed. */
  update(block: ArrayBuffer, length: number): Promise<ArrayBuffer>;
  /** Call it after the last block. */
  digest(): Promise<DataDigests>;
  /** Call it once, whether or not there was a digest. */
  end(): void;
}

interface Waiting {
  readonly resolve: (reply: HashReply) => void;
  readonly reject: (error: Error) => void;
}

class HashThread {
  readonly #worker = new Worker(`(${hashThread.toString()})()`, {
    eval: true,
    resourceLimits: HEAP,
  });
  /** In the order of their requests, which is also that of the answers. */
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
export function beginHashJob(): HashJob {
  threads = threads.filter(({ isDead }) => !isDead);
  const [idlest] = [...threads].sort((one, other) => one.jobs - other.jobs);
  const isEnough = threads.length >= Math.min(MAX_THREADS, availableParallelism());
  if (idlest && (idlest.jobs === 0 || isEnough)) return idlest.begin();
  const thread = new HashThread();
  threads.push(thread);
  return thread.begin();
}
