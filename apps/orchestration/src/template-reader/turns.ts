/**
 * Limits concurrency.
 *
 * Always holds: waiting callers take turns, so that one with much work does not block the others.
 */
export class Turns {
  /** By caller, in the order of their next turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(private readonly most: number) {}

  async run<T>(of: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) await this.#turn(of);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(of: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(of, [...(this.#waiting.get(of) ?? []), resolve]);
    });
  }

  /** Passes the free slot to the next caller. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running -= 1;
      return;
    }
    const [of, [start, ...rest]] = first;
    this.#waiting.delete(of);
    if (rest.length > 0) this.#waiting.set(of, rest);
    start?.();
  }
}
