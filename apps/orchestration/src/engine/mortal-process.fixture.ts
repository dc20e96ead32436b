/**
 * A process that crashes or is interrupted at a chosen moment: before a statement, or before or
 * after a call of the world. After a crash, all its attempts fail and Postgres rolls back.
 */
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { SimulatedCrash } from '@cumulet/common/reconcile/run-reconciler';

/** Work of another process, which must not wait for this one's locks. */
export type Interruption = () => Promise<unknown>;

export class MortalProcess {
  #left = Infinity;
  #interruption: Interruption | undefined;
  #isAlive = false;
  #isDead = false;
  readonly #watched = new WeakSet<pg.ClientBase>();

  constructor(dataSource: DataSource) {
    const { master } = dataSource.driver as unknown as { readonly master: pg.Pool };
    master.on('acquire', (client) => this.#watch(client));
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Whether its moment has passed. */
  get isOver(): boolean {
    return this.#left < 0;
  }

  /**
   * @param moments before it crashes or is interrupted
   * @param interruption absent for a crash
   */
  live(moments = Infinity, interruption?: Interruption): void {
    this.#left = moments;
    this.#interruption = interruption;
    this.#isDead = false;
    this.#isAlive = true;
  }

  /** Later calls are not counted. */
  end(): void {
    this.#isAlive = false;
    this.#isDead = false;
  }

  /** Calls within are not counted. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    const isAlive = this.#isAlive;
    this.#isAlive = false;
    try {
      return await work();
    } finally {
      this.#isAlive = isAlive;
    }
  }

  /** @throws SimulatedCrash at and after its moment */
  readonly moment = async (): Promise<void> => {
    if (!this.#isAlive) return;
    this.#left -= 1;
    if (this.#left >= 0) return;
    const interruption = this.#interruption;
    if (!interruption) {
      this.#isDead = true;
      throw new SimulatedCrash();
    }
    if (this.#left === -1) await this.aside(interruption);
  };

  #watch(client: pg.ClientBase): void {
    if (this.#watched.has(client)) return;
    this.#watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let isOpen = false;
    const watched = (...args: unknown[]): unknown => {
      const [text] = args;
      const isOwn = text !== 'ROLLBACK' && !(isOpen && this.#interruption);
      if (text === 'START TRANSACTION') isOpen = true;
      if (text === 'COMMIT' || text === 'ROLLBACK') isOpen = false;
      if (!isOwn || !this.#isAlive) return query(...args);
      const callback = args.at(-1);
      if (typeof callback !== 'function') return this.moment().then(() => query(...args));
      void this.moment().then(
        () => query(...args),
        (error: unknown) => (callback as (error: unknown) => void)(error),
      );
      return undefined;
    };
    Object.assign(client, { query: watched });
  }
}
