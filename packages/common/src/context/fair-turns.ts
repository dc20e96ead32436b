/**
 * Lets each caller do so many things at once, and have the others wait, so that who asks for much
 * waits for itself rather than having everybody wait.
 *
 * Always holds: what runs in a turn waits for no other turn of the same kind.
 */
export class FairTurns {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param maxRunning turns of one caller at the same time */
  constructor(private readonly maxRunning: number) {}

  /** Waits for a turn, and ends it when the work has ended. @param of whose turn it is */
  async run<T>(of: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => this.enter(of, resolve));
    try {
      return await work();
    } finally {
      this.leave(of);
    }
  }

  /** Calls `start` now, or else when it is its turn. Each start must be followed by one `leave`. */
  enter(of: string, start: () => void): void {
    const running = this.#running.get(of) ?? 0;
    if (running < this.maxRunning) {
      this.#running.set(of, running + 1);
      start();
      return;
    }
    const waiting = this.#waiting.get(of) ?? [];
    this.#waiting.set(of, waiting);
    waiting.push(start);
  }

  /** Gives the place to whoever has waited longest. */
  leave(of: string): void {
    const waiting = this.#waiting.get(of);
    const start = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(of);
    if (start) {
      start();
      return;
    }
    const running = (this.#running.get(of) ?? 1) - 1;
    if (running === 0) this.#running.delete(of);
    else this.#running.set(of, running);
  }
}
