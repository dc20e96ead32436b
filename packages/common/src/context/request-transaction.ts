import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/**
 * A transaction that stays open after the work that opened it, so that data known only later can be
 * written in it: the answer to a request beside what the request created.
 */
export class RequestTransaction {
  #runner: QueryRunner | undefined;
  #hasEnded = false;

  /** @param begin runs first in the transaction; an error ends it */
  constructor(
    private readonly dataSource: DataSource,
    private readonly begin: (manager: EntityManager) => Promise<void>,
  ) {}

  /** The open transaction, once some work in it has succeeded. */
  get manager(): EntityManager | undefined {
    return this.#runner?.manager;
  }

  /** Failed work is rolled back; the next begins a new transaction. */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (this.#runner) return work(this.#runner.manager);
    if (this.#hasEnded) throw new Error('the request whose transaction this is has ended');
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await this.begin(runner.manager);
      const result = await work(runner.manager);
      this.#runner = runner;
      return result;
    } catch (error) {
      await undo(runner);
      throw error;
    }
  }

  async commit(): Promise<void> {
    const runner = this.#end();
    if (!runner) return;
    try {
      await runner.commitTransaction();
      await runner.release();
    } catch (error) {
      await undo(runner);
      throw error;
    }
  }

  async rollback(): Promise<void> {
    const runner = this.#end();
    if (runner) await undo(runner);
  }

  #end(): QueryRunner | undefined {
    const runner = this.#runner;
    this.#runner = undefined;
    this.#hasEnded = true;
    return runner;
  }
}

async function undo(runner: QueryRunner): Promise<void> {
  if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
  if (!runner.isReleased) await runner.release();
}
