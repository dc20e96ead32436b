/**
 * Decides who runs argon2 next. A run takes a core for some milliseconds, so about as many run at
 * once as there are cores; the others wait here, and hold nothing while they wait.
 *
 * Always holds: addresses take turns, so that a flood from one delays another's login by one run.
 */
import { availableParallelism } from 'node:os';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { watchMainThread } from './main-thread.js';

const CORES = availableParallelism();
/**
 * One more than there are cores, so that none idles until a next run is given to it; libuv's pool,
 * on which argon2 runs, has four threads.
 */
const MAX_RUNNING = Math.min(CORES + 1, 4);
/** While there are requests to answer, the main thread has a core to itself where there are several. */
const MAX_BESIDE_REQUESTS = Math.min(Math.max(CORES - 1, 1), MAX_RUNNING);

function limitByLoad(): () => number {
  const isBusy = watchMainThread();
  return () => (isBusy() ? MAX_BESIDE_REQUESTS : MAX_RUNNING);
}

/** A second or two of work: a client that has to wait longer has given up by then. */
const MAX_WAITING_OF_ONE = 128;
const MAX_WAITING = 512;

export class TooManyLoginsError extends DomainError {
  constructor() {
    super('rate-limited', 'Too many logins are waiting to be checked; try again in a moment.', {
      retryAfter: 1,
    });
  }
}

export class HashQueue {
  /** By address, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;
  #count = 0;

  /** @param limit how many may run at once, now: at least one */
  constructor(private readonly limit: () => number = limitByLoad()) {}

  /**
   * @param from the address that the work is for
   * @throws TooManyLoginsError if too many wait, in all or for this address
   */
  async run<T>(from: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limit()) await this.#turn(from);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  #turn(from: string): Promise<void> {
    const own = this.#waiting.get(from) ?? [];
    if (own.length >= MAX_WAITING_OF_ONE || this.#count >= MAX_WAITING)
      throw new TooManyLoginsError();
    this.#waiting.set(from, own);
    this.#count += 1;
    return new Promise((resolve) => own.push(resolve));
  }

  /** The next address has its turn, and then queues behind the others. */
  #startNext(): void {
    const limit = this.limit();
    while (this.#running < limit) {
      const [next] = this.#waiting;
      if (!next) return;
      const [from, own] = next;
      const start = own.shift();
      this.#waiting.delete(from);
      if (own.length > 0) this.#waiting.set(from, own);
      this.#count -= 1;
      this.#running += 1;
      start?.();
    }
  }
}
