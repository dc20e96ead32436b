/**
 * A worker that takes one job after another, including those due soon. Work without a nudge
 * therefore stays visibly stuck.
 */
import { RequestContext } from '@cumulet/common/context/request-context';
import type { Job } from '@cumulet/common/jobs/job.repository';
import { createLogger } from '@cumulet/common/observe/logger';
import type { ReconciledRow, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import type { DataSource } from 'typeorm';
import type { MortalProcess } from './mortal-process.fixture.js';

const logger = createLogger('test', 'silent');

/** Later jobs are looks for lost nudges. */
const SOON = `now() + interval '20 seconds'`;

const TAKE = `
  UPDATE jobs SET worker = 'test', run_at = NULL
   WHERE (resource, id) = (
           SELECT resource, id FROM jobs WHERE worker IS NULL AND run_at < ${SOON}
            ORDER BY greatest(run_at, now()), priority, run_at LIMIT 1)
  RETURNING resource, id, attempt, context`;

const MAX_JOBS = 3_000;

export class OneWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reconcilers: readonly Reconciler<ReconciledRow>[],
    private readonly process: MortalProcess,
  ) {}

  /**
   * Works until nothing is due soon, or the process has crashed.
   * @throws Error if that does not happen
   */
  async work(): Promise<void> {
    for (let jobs = 0; jobs < MAX_JOBS; jobs += 1) {
      const job = await this.#take();
      if (!job) return;
      await this.#run(job);
      if (this.process.isDead) return;
      await this.#end(job);
    }
    throw new Error('the work does not end');
  }

  /** Releases the jobs of the dead, as their sweep does. */
  async releaseDeadJobs(): Promise<void> {
    await this.#query(
      `UPDATE jobs SET worker = NULL, run_at = coalesce(run_at, now()) WHERE worker = 'test'`,
    );
  }

  /** Deletes all jobs. */
  async clear(): Promise<void> {
    await this.#query('DELETE FROM jobs');
  }

  async #end({ resource, id }: Job): Promise<void> {
    await this.#query('DELETE FROM jobs WHERE resource = $1 AND id = $2 AND run_at IS NULL', [
      resource,
      id,
    ]);
    await this.#query('UPDATE jobs SET worker = NULL WHERE resource = $1 AND id = $2', [
      resource,
      id,
    ]);
  }

  async #take(): Promise<Job | undefined> {
    const [rows] = (await this.#query(TAKE)) as [Job[]];
    return rows[0];
  }

  async #run({ resource, id, attempt, context }: Job): Promise<void> {
    const reconciler = this.reconcilers.find(({ states }) => states.resource === resource);
    if (!reconciler) throw new Error(`nobody works on ${resource}`);
    const ctx = RequestContext.deserialise(context, this.dataSource.manager);
    try {
      await runReconciler(reconciler, ctx, id, attempt, { logger });
    } catch (error) {
      if (!this.process.isDead) throw error;
    }
  }

  /** Not counted as a moment, because it is the worker's own. */
  async #query(sql: string, values: unknown[] = []): Promise<unknown> {
    return this.process.aside(() => this.dataSource.query(sql, values));
  }
}
