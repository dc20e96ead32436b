/** Helpers for tests of the job queue. */
import type { DataSource } from 'typeorm';
import { createLogger } from '../observe/logger.js';
import { deadWorkerSweep } from './liveness.js';
import { SweepLoop } from './sweep.js';
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

/** A worker of the task `widget`, with the concurrency that a test chooses. */
export function widgetWorker(
  dataSource: DataSource,
  handler: TaskHandler,
  concurrency = 4,
): Worker {
  const logger = createLogger('test', 'silent');
  return new Worker({ dataSource, logger, concurrency, tasks: { widget: handler } });
}

/** Frees the jobs of dead workers, until it is stopped. */
export function sweepDeadWorkers(dataSource: DataSource): SweepLoop {
  const logger = createLogger('test', 'silent');
  const sweeps = new SweepLoop(dataSource, logger, [deadWorkerSweep(logger)]);
  sweeps.start();
  return sweeps;
}

/** A promise that a test resolves. */
export class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}
