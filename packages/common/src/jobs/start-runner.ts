/** Starts the job library as every worker uses it. */
import { Logger as JobLogger, run, type Runner, type TaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { jobPool } from './job-pool.js';
import type { Liveness } from './liveness.js';

export interface RunnerOptions {
  readonly dataSource: DataSource;
  readonly logger: Logger;
  readonly concurrency: number;
  readonly tasks: TaskList;
  readonly liveness: Liveness;
}

export function startRunner(options: RunnerOptions): Promise<Runner> {
  const { dataSource, logger, concurrency, tasks, liveness } = options;
  return run({
    pgPool: jobPool(dataSource),
    taskList: tasks,
    concurrency,
    noHandleSignals: true,
    pollInterval: 1_000,
    crontab: '',
    logger: new JobLogger(() => (level, message, meta) => {
      // The library's levels are a const enum, which isolated modules cannot name.
      if (/^error$/.test(level))
        logger.error({ err: (meta as { error?: unknown } | undefined)?.error }, message);
    }),
    preset: {
      plugins: [
        {
          name: 'CumuletLivenessPlugin',
          version: '1.0.0',
          worker: {
            hooks: {
              // Awaited before the worker looks for its first job.
              startWorker: (_ctx, { worker }) => liveness.hold(worker.workerId),
              stopWorker: (_ctx, { worker }) => liveness.letGo(worker.workerId),
            },
          },
        },
      ],
    },
  });
}
