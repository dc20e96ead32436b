/**
 * Runs work on the same key sequentially, work on different keys in parallel. It orders one process
 * only: what other processes work on as well needs a lock that they see, in a file or in Postgres.
 */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work on `key` has ended, however it ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.tails.get(key) ?? Promise.resolve();
    const mine = earlier.then(work, work);
    // The stored tail never rejects: a failure belongs to its caller, not to those who wait.
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
