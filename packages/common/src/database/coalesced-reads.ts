/**
 * Reads that are equal and wait at the same time become one.
 *
 * Always holds: a read begins after everybody who shares it has asked, so nobody gets what was true
 * only before; and of equal reads one runs at a time, and at most one waits.
 */
export class CoalescedReads<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #waiting = new Map<string, Promise<T>>();

  /**
   * @param key names the read: with equal keys, it does not matter whose `load` is called
   * @returns what all who share the read get; they must not change it
   * @throws what `load` does, to all of them
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
