/** Helpers for tests of the job queue. */
import type { DataSource } from 'typeorm';
import { createLogger } from '../observe/logger.js';
import { databaseUrlOf } from '../database/data-source.js';
import { deadWorkerSweep, Liveness } from './liveness.js';
import { SweepLoop, type Sweep } from './sweep.js';
import { Worker, type TaskHandler } from './worker.js';

export interface JobRow {
  readonly key: string | null;
  readonly task: string;
  readonly attempts: number;
  readonly locked: boolean;
  readonly payload: { readonly id: string; readonly attempt: number; readonly context: unknown };
  readonly delayMs: number;
}

export async function jobsOf(dataSource: DataSource): Promise<JobRow[]> {
  return dataSource.query(
    `SELECT job.key, task.identifier AS task, job.attempts, job.locked_by IS NOT NULL AS locked, job.payload,
            extract(epoch FROM job.run_at - job.updated_at)::float * 1000 AS "delayMs"
       FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
      ORDER BY job.id`,
  );
}

export type TestWorker = Pick<Worker, 'start' | 'stop'>;

/** A worker of the task `widget`, as of a process of its own. */
export function widgetWorker(
  dataSource: DataSource,
  handler: TaskHandler,
  concurrency = 4,
): TestWorker {
  const liveness = livenessOf(dataSource);
  const tasks = { widget: handler };
  const worker = new Worker({ dataSource, logger, liveness, concurrency, tasks });
  return {
    start: () => worker.start(),
    async stop() {
      liveness.abandon();
      await worker.stop();
      await liveness.stop();
    },
  };
}

/** Runs sweeps, as a process of its own would, until it is stopped. */
export function sweeping(
  dataSource: DataSource,
  sweeps: readonly Sweep[],
  retryMs?: number,
): Pick<SweepLoop, 'stop'> {
  const liveness = livenessOf(dataSource);
  const loop = new SweepLoop(dataSource, logger, sweeps, liveness, retryMs);
  loop.start();
  return {
    async stop() {
      liveness.abandon();
      await loop.stop();
      await liveness.stop();
    },
  };
}

/** Frees the jobs of dead workers, until it is stopped. */
export function sweepDeadWorkers(dataSource: DataSource): Pick<SweepLoop, 'stop'> {
  return sweeping(dataSource, [deadWorkerSweep(logger)]);
}

const logger = createLogger('test', 'silent');

const livenessOf = (dataSource: DataSource): Liveness =>
  new Liveness(databaseUrlOf(dataSource), () => undefined);

/** A promise that a test resolves. */
export class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}
