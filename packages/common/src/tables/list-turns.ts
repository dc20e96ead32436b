/**
 * Decides when a list is read. Its filters are the caller's, and some take Postgres long: of one
 * project, about as many lists are read at once as there are cores. The others wait here, and hold
 * nothing while they wait, so that another project finds a connection and a core.
 *
 * Always holds: what runs in a turn waits for nothing but Postgres.
 */
import { availableParallelism } from 'node:os';

const MAX_RUNNING_OF_ONE = Math.max(2, availableParallelism());

export class ListTurns {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(private readonly maxRunning = MAX_RUNNING_OF_ONE) {}

  /** @param of whose turn it is: a project, or a user without one */
  async run<T>(of: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(of) ?? 0;
    if (running < this.maxRunning) this.#running.set(of, running + 1);
    else await this.#turn(of);
    try {
      return await work();
    } finally {
      this.#pass(of);
    }
  }

  #turn(of: string): Promise<void> {
    const waiting = this.#waiting.get(of) ?? [];
    this.#waiting.set(of, waiting);
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Gives the place to whoever has waited longest. */
  #pass(of: string): void {
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
