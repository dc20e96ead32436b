import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds ahead of time from which to wait; later chunks make up for less. */
const WORTH_MS = 5;

/** Milliseconds behind time that later chunks may make up for. */
const CREDIT_MS = 1_000;

/** Limits all streams that are read through it to a number of bytes per second together. */
export class Pace {
  /** When the rate allows the next bytes, by `performance.now()`. */
  #paidAt = performance.now();

  constructor(private readonly bytesPerSecond: number) {}

  /** Yields the chunks when their time has come. @throws the signal's reason, once it is aborted */
  async *over(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncIterable<Buffer> {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      yield chunk;
      const now = performance.now();
      const paidFrom = Math.max(this.#paidAt, now - CREDIT_MS);
      this.#paidAt = paidFrom + (chunk.length / this.bytesPerSecond) * 1000;
      const early = this.#paidAt - now;
      if (early > WORTH_MS) await sleep(early, undefined, { signal });
    }
    signal.throwIfAborted();
  }
}
