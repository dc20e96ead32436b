/** Helpers for tests of the job queue. */
import type { DataSource } from 'typeorm';
import { createLogger } from '../observe/logger.js';
import { databaseUrlOf } from '../database/data-source.js';
import { deadWorkerSweep, Liveness } from './liveness.js';
import { SweepLoop, type Sweep } from './sweep.js';
import { LOOK_EVERY_MS, Worker, type TaskHandler } from './worker.js';

export interface JobRow {
  readonly resource: string;
  readonly id: string;
  readonly task: string;
  readonly attempt: number;
  readonly context: unknown;
  readonly priority: number;
  readonly failures: number;
  readonly worker: string | null;
  /** Of its next run after its nudge; null of one that runs, and is to run once. */
  readonly delayMs: number | null;
}

export async function jobsOf(dataSource: DataSource): Promise<JobRow[]> {
  return dataSource.query(
    `SELECT resource, id, task, attempt, context, priority, failures, worker,
            extract(epoch FROM run_at - nudged_at)::float * 1000 AS "delayMs"
       FROM jobs ORDER BY priority, run_at`,
  );
}

/** Whether a statement waits for another transaction. */
export async function isWaiting(dataSource: DataSource): Promise<boolean> {
  const waiting: unknown[] = await dataSource.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

/** A test that waits no longer fails where workers only find a job because they look at intervals. */
export const BEFORE_NEXT_LOOK_MS = LOOK_EVERY_MS - 5_000;

export type TestWorker = Pick<Worker, 'start' | 'stop'>;

/** A worker as of a process of its own. */
export function widgetWorker(
  dataSource: DataSource,
  run: TaskHandler,
  { concurrency = 4, task = 'widget' } = {},
): TestWorker {
  const liveness = livenessOf(dataSource);
  const worker = new Worker({ dataSource, logger, liveness, concurrency, tasks: [task], run });
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
