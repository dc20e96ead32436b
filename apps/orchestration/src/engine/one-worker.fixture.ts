/**
 * A worker that takes one job after the other, those of the near future as if it were there. So a test
 * sees what is stuck: work that is under way, and no nudge to go on with it.
 */
import { RequestContext } from '@cumulet/common/context/request-context';
import type { NudgePayload } from '@cumulet/common/jobs/nudge';
import { createLogger } from '@cumulet/common/observe/logger';
import type { ReconciledRow, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import type { DataSource } from 'typeorm';
import type { MortalProcess } from './mortal-process.fixture.js';

const logger = createLogger('test', 'silent');

/** What comes later is a look for nudges that were lost. */
const SOON = `now() + interval '20 seconds'`;

const TAKE = `
  UPDATE graphile_worker._private_jobs SET locked_by = 'test', locked_at = now()
   WHERE id = (SELECT id FROM graphile_worker._private_jobs
                WHERE locked_at IS NULL AND run_at < ${SOON}
                ORDER BY greatest(run_at, now()), priority, id LIMIT 1)
  RETURNING id, payload`;

const MAX_JOBS = 3_000;

export class OneWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reconcilers: readonly Reconciler<ReconciledRow>[],
    private readonly process: MortalProcess,
  ) {}

  /**
   * Works until there is nothing to do soon, or the process has died.
   * @throws Error where that does not happen
   */
  async work(): Promise<void> {
    for (let jobs = 0; jobs < MAX_JOBS; jobs += 1) {
      const job = await this.#take();
      if (!job) return;
      await this.#run(job.payload);
      if (this.process.isDead) return;
      await this.#query('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [job.id]);
    }
    throw new Error('the work does not end');
  }

  /** What the sweep for the dead does: their jobs are taken again. */
  async bury(): Promise<void> {
    await this.#query(
      `UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL
        WHERE locked_by = 'test'`,
    );
  }

  /** Forgets all work. */
  async clear(): Promise<void> {
    await this.#query('DELETE FROM graphile_worker._private_jobs');
  }

  async #take(): Promise<{ id: string; payload: NudgePayload } | undefined> {
    const [rows] = (await this.#query(TAKE)) as [{ id: string; payload: NudgePayload }[]];
    return rows[0];
  }

  async #run({ resource, id, attempt, context }: NudgePayload): Promise<void> {
    const reconciler = this.reconcilers.find(({ states }) => states.resource === resource);
    if (!reconciler) throw new Error(`nobody works on ${resource}`);
    const ctx = RequestContext.deserialise(context, this.dataSource.manager);
    try {
      await runReconciler(reconciler, ctx, id, attempt, { logger });
    } catch (error) {
      if (!this.process.isDead) throw error;
    }
  }

  /** Not a moment of the process: it is the worker's own. */
  async #query(sql: string, values: unknown[] = []): Promise<unknown> {
    return this.process.aside(() => this.dataSource.query(sql, values));
  }
}
