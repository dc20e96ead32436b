/**
 * Looks at the database every few seconds, and for each readiness probe.
 *
 * Always holds: looks that are asked for at the same time are one; a full disk, which only a write
 * can tell, is looked for from the first that found it full until one finds room.
 */
import type { DataSource } from 'typeorm';
import { requireRoom, requireUsable } from '../database/usable-database.js';
import { isDiskFull, unavailableIn } from '../errors/foreign-errors.js';
import { UnavailableError, type DomainError } from '../errors/domain-error.js';
import type { Readiness } from '../service/readiness.js';

const LOOK_MS = 5_000;
/** While the process is not ready. */
const RETRY_MS = 1_000;
/** A connection whose other end is gone answers nothing at all. */
const MAX_LOOK_MS = 10_000;

export class DatabaseWatch {
  #look: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wasFull = false;
  #isOn = false;

  /** @param onLook called after each look */
  constructor(
    private readonly dataSource: DataSource,
    private readonly readiness: Readiness,
    private readonly onLook: () => void,
  ) {}

  start(): void {
    this.#isOn = true;
    this.#later();
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#timer);
    await this.#look;
  }

  /** Returns once the readiness is that of now. */
  look(): Promise<void> {
    if (!this.#isOn) return Promise.resolve();
    this.#look ??= this.#find().then((reason) => {
      this.#look = undefined;
      if (!this.#isOn) return;
      this.readiness.follow(reason);
      this.onLook();
      this.#later();
    });
    return this.#look;
  }

  /** Call this with each failure of a request. */
  note(error: unknown): void {
    if (this.#wasFull || !isDiskFull(error)) return;
    this.#wasFull = true;
    void this.look();
  }

  async #find(): Promise<DomainError | undefined> {
    try {
      await inTime(requireUsable(this.dataSource));
      if (this.#wasFull) await inTime(requireRoom(this.dataSource));
      this.#wasFull = false;
      return undefined;
    } catch (error) {
      return unavailableIn(error) ?? new UnavailableError(UNREACHABLE, { cause: error });
    }
  }

  #later(): void {
    clearTimeout(this.#timer);
    const pause = this.readiness.isReady ? LOOK_MS : RETRY_MS;
    this.#timer = setTimeout(() => void this.look(), pause);
    this.#timer.unref();
  }
}

const UNREACHABLE = 'The service cannot reach its database at present.';

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UnavailableError(UNREACHABLE)), MAX_LOOK_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
