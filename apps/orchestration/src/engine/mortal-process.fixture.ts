/**
 * A process to which something happens at a moment of a test's choice: before one of its statements, or
 * before or after what it asks of the world. Where it dies, whatever it attempts afterwards fails, and
 * Postgres rolls back for it.
 */
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { SimulatedCrash } from '@cumulet/common/reconcile/run-reconciler';

/** What happens, unless it dies: work of another, which waits for nothing that this one holds. */
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

  /** Whether its moment has come. */
  get isOver(): boolean {
    return this.#left < 0;
  }

  /**
   * @param moments after which it dies, or is interrupted
   * @param interruption absent for its death
   */
  live(moments = Infinity, interruption?: Interruption): void {
    this.#left = moments;
    this.#interruption = interruption;
    this.#isDead = false;
    this.#isAlive = true;
  }

  /** What others do then is not its doing. */
  end(): void {
    this.#isAlive = false;
    this.#isDead = false;
  }

  /** What is not its own doing. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    const isAlive = this.#isAlive;
    this.#isAlive = false;
    try {
      return await work();
    } finally {
      this.#isAlive = isAlive;
    }
  }

  /** @throws SimulatedCrash once its time has come */
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
