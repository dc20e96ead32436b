/**
 * Limits each caller's concurrency while others are active, and queues the rest: a busy caller then
 * waits for itself, and nobody else for it.
 *
 * Always holds: work in a turn waits for no other turn of the same kind.
 */
export interface FairTurnsOptions {
  /** Concurrent turns of a caller if another was active within the last second. */
  readonly shared: number;
  /** Concurrent turns of a caller that is alone. */
  readonly alone: number;
}

const SHARED_MS = 1_000;

export class FairTurns {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** The last caller, and the last other one before; times in milliseconds. */
  #last = { of: '', at: -Infinity };
  #other = this.#last;

  constructor(
    private readonly most: FairTurnsOptions,
    private readonly now = (): number => performance.now(),
  ) {}

  /** Runs work in a turn. @param of the caller */
  async run<T>(of: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => this.enter(of, resolve));
    try {
      return await work();
    } finally {
      this.leave(of);
    }
  }

  /** Calls `start` at its turn. Each start must be followed by one `leave`. */
  enter(of: string, start: () => void): void {
    if (this.#last.of !== of) this.#other = this.#last;
    this.#last = { of, at: this.now() };
    const waiting = this.#waiting.get(of);
    if (waiting) waiting.push(start);
    else if (this.#isFree(of)) this.#begin(of, start);
    else this.#waiting.set(of, [start]);
  }

  leave(of: string): void {
    const running = (this.#running.get(of) ?? 1) - 1;
    if (running === 0) this.#running.delete(of);
    else this.#running.set(of, running);
    this.#beginNext(of);
  }

  #isFree(of: string): boolean {
    const running = this.#running.get(of) ?? 0;
    const { at } = this.#last.of === of ? this.#other : this.#last;
    const isAlone = this.now() - at > SHARED_MS;
    return running < (isAlone ? this.most.alone : this.most.shared);
  }

  #begin(of: string, start: () => void): void {
    this.#running.set(of, (this.#running.get(of) ?? 0) + 1);
    start();
  }

  /** Starts as many as may begin, the longest waiting first. */
  #beginNext(of: string): void {
    const waiting = this.#waiting.get(of);
    if (!waiting) return;
    while (waiting.length > 0 && this.#isFree(of)) this.#begin(of, waiting.shift() as () => void);
    if (waiting.length === 0) this.#waiting.delete(of);
  }
}
