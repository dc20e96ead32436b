/**
 * Runs work on the same key sequentially, and on different keys in parallel. It orders one process
 * only: across processes, lock a file or a row in Postgres.
 */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work on `key` has ended, however it ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.tails.get(key) ?? Promise.resolve();
    const mine = earlier.then(work, work);
    // The stored tail never rejects: a failure belongs to its caller, not to those waiting.
    const tail = mine.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
