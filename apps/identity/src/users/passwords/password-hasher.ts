/**
 * Always holds: a verification costs exactly one run of argon2, whether or not there is a hash to
 * verify against, so that its duration does not tell who exists.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { errorOf } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../../config.js';

/** Characters. */
export const MAX_PASSWORD_LENGTH = 4_096;

/** KiB of memory that one run takes, and passes over it. */
type PasswordCost = Pick<IdentityConfig, 'passwordMemory' | 'passwordPasses'>;

@Injectable()
export class PasswordHasher {
  readonly #decoy: string;
  readonly #queue = new HashQueue();

  constructor(@Inject(CONFIG) private readonly cost: PasswordCost) {
    this.#decoy = decoyOf(cost);
  }

  /** @returns the hash in PHC form, with its cost and salt in it */
  hash(password: string): Promise<string> {
    const { passwordMemory: memoryCost, passwordPasses: timeCost } = this.cost;
    return this.#queue.run('', () => hash(password, { memoryCost, timeCost, parallelism: 1 }));
  }

  /**
   * @param hashed null or undefined for a user that does not exist or has no password
   * @param from the address of the attempt: addresses take turns
   * @throws TooManyLoginsError
   */
  async verify(hashed: string | null | undefined, password: string, from = ''): Promise<boolean> {
    const matches = await this.#queue.run(from, () => this.run(hashed ?? this.#decoy, password));
    return matches && typeof hashed === 'string';
  }

  /** Protected so that a test can count the runs. */
  protected run(hashed: string, password: string): Promise<boolean> {
    return verify(hashed, password);
  }
}

/** A hash of the same cost that no password matches: salt and digest are random. */
function decoyOf({ passwordMemory, passwordPasses }: PasswordCost): string {
  const part = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${passwordMemory},t=${passwordPasses},p=1$${part(16)}$${part(32)}`;
}

const CORES = availableParallelism();

/**
 * One more than there are cores, so that none idles between runs; libuv's pool, on which argon2 runs,
 * has four threads.
 */
const MAX_RUNNING = Math.min(CORES + 1, 4);

/** While the main thread is busy, it has a core to itself if there are several. */
const MAX_BESIDE_REQUESTS = Math.min(Math.max(CORES - 1, 1), MAX_RUNNING);

function limitByLoad(): () => number {
  const isBusy = watchMainThread();
  return () => (isBusy() ? MAX_BESIDE_REQUESTS : MAX_RUNNING);
}

/** A second or two of work: clients do not wait longer. */
const MAX_WAITING_OF_ONE = 128;
const MAX_WAITING = 512;

export class TooManyLoginsError extends errorOf(
  'rate-limited',
  'Too many logins are waiting to be checked; try again in a moment.',
  { retryAfter: 1 },
) {}

/**
 * The queue of argon2 runs. A run takes a core for some milliseconds, so that about as many run at
 * once as there are cores.
 *
 * Always holds: addresses take turns, so that a flood from one delays another's login by one run.
 */
export class HashQueue {
  /** By address, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;
  #count = 0;

  /** @param limit how many may run at once at present, at least one */
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

/** Milliseconds between looks at the event loop. */
const LOOK_MS = 100;
/** The share of time from which the thread counts as busy. */
const BUSY_SHARE = 0.6;

/** @returns whether the thread that answers requests was busy recently */
export function watchMainThread(): () => boolean {
  let since = performance.eventLoopUtilization();
  let lookedAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_MS) return isBusy;
    isBusy = performance.eventLoopUtilization(since).utilization > BUSY_SHARE;
    since = performance.eventLoopUtilization();
    lookedAt = now;
    return isBusy;
  };
}
