/**
 * So many things at once, and the rest wait for their turn.
 *
 * Always holds: callers that wait take turns, so that one that wants much keeps nobody else waiting for
 * all of it.
 */
export class Turns {
  /** What waits, by caller, in the order in which they have their next turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  /** @param most at once */
  constructor(private readonly most: number) {}

  /** @param of the caller */
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

  /** Hands the turn that has ended to whoever is next. */
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
