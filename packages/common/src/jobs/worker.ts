/**
 * Takes and works on the nudges of some tasks.
 *
 * Always holds: a job whose end could not be recorded (Postgres was away) costs the library one of
 * its workers; then all of them are stopped here, and new ones start once Postgres answers.
 */
import { Logger as JobLogger, run, type Runner } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { databaseUrlOf } from '../database/data-source.js';
import { jobPool } from './job-pool.js';
import { Liveness } from './liveness.js';
import type { NudgePayload } from './nudge.js';

/** @param stopping aborted some seconds after the worker is told to stop, if the job still runs */
export type TaskHandler = (payload: NudgePayload, stopping: AbortSignal) => Promise<void>;

export interface WorkerOptions {
  readonly dataSource: DataSource;
  readonly logger: Logger;
  /** Concurrent jobs in this process. */
  readonly concurrency: number;
  readonly tasks: Readonly<Record<string, TaskHandler>>;
}

const RESTART_PAUSE_MS = 500;

export class Worker {
  #runner: Runner | undefined;
  #restart: Promise<unknown> = Promise.resolve();
  #stopped = false;
  readonly #liveness: Liveness;

  constructor(private readonly options: WorkerOptions) {
    const { dataSource, logger } = options;
    this.#liveness = new Liveness(databaseUrlOf(dataSource), (error) =>
      logger.warn({ err: error }, 'lost the connection that shows this worker to be alive'),
    );
  }

  async start(): Promise<void> {
    const runner = await startRunner(this.options, this.#liveness);
    this.#runner = runner;
    runner.events.on('worker:stop', ({ error }) => {
      if (error !== undefined) this.#replace(runner);
    });
  }

  /** Waits for running jobs, aborting them after some seconds; then releases the locks. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#liveness.abandon();
    await this.#restart;
    await this.#runner?.stop();
    await this.#liveness.stop();
  }

  #replace(broken: Runner): void {
    if (this.#runner !== broken || this.#stopped) return;
    this.#runner = undefined;
    this.options.logger.warn('a job could not be ended in the database; the workers start anew');
    this.#restart = Promise.all([this.#restart, broken.stop(), this.#runAgain()]);
  }

  async #runAgain(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.start();
        return;
      } catch (error) {
        this.options.logger.warn({ err: error }, 'the workers cannot start yet');
        await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
      }
    }
  }
}

function startRunner(
  { dataSource, logger, concurrency, tasks }: WorkerOptions,
  liveness: Liveness,
): Promise<Runner> {
  return run({
    pgPool: jobPool(dataSource),
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, handler]) => [
        name,
        (payload, { abortSignal }) =>
          handler(payload as NudgePayload, abortSignal ?? new AbortController().signal),
      ]),
    ),
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
              // Not awaited: until then the library keeps a broken worker among those that it
              // nudges, which throws where nobody catches it.
              stopWorker: (_ctx, { worker }) => void liveness.letGo(worker.workerId),
            },
          },
        },
      ],
    },
  });
}
