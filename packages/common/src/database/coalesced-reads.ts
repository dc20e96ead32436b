/**
 * Combines equal reads that wait at the same time.
 *
 * Always holds: a read begins after everybody who shares it has asked, so nobody gets an outdated
 * result; of equal reads at most one runs, and at most one waits.
 */
export class CoalescedReads<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #waiting = new Map<string, Promise<T>>();

  /**
   * @param key identifies the read: with equal keys, any of the `load` functions may be called
   * @returns the shared result, which must not be modified
   * @throws what `load` throws, to all sharers
   */
  read(key: string, load: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const running = this.#running.get(key);
    if (!running) return this.#run(key, load);
    const next = (): Promise<T> => {
      this.#waiting.delete(key);
      return this.#run(key, load);
    };
    const turn = running.then(next, next);
    this.#waiting.set(key, turn);
    return turn;
  }

  #run(key: string, load: () => Promise<T>): Promise<T> {
    const run = load().finally(() => {
      if (this.#running.get(key) === run) this.#running.delete(key);
    });
    this.#running.set(key, run);
    return run;
  }
}
