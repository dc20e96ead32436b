/**
 * Takes and works on the nudges of some tasks.
 *
 * Always holds: a job whose end could not be recorded (Postgres was away) costs the library one of
 * its workers; then all of them are stopped here, and new ones start once Postgres answers.
 */
import { EventEmitter, setMaxListeners } from 'node:events';
import { Logger as JobLogger, run, type Runner, type WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { Alarm } from './alarm.js';
import { jobPool } from './job-pool.js';
import { listeningPool } from './listening-pool.js';
import type { Liveness } from './liveness.js';
import type { NudgePayload } from './nudge.js';
import { turnsOf } from './turns.js';

/** @param stopping aborted some seconds after the worker is told to stop, if the job still runs */
export type TaskHandler = (payload: NudgePayload, stopping: AbortSignal) => Promise<void>;

export interface WorkerOptions {
  readonly dataSource: DataSource;
  readonly logger: Logger;
  /** Of this process; must outlast the worker. */
  readonly liveness: Liveness;
  /** Concurrent jobs in this process. */
  readonly concurrency: number;
  readonly tasks: Readonly<Record<string, TaskHandler>>;
}

const RESTART_PAUSE_MS = 500;

/** How often each slot looks by itself; alarm.ts looks for all of them, and more often. */
const POLL_MS = 600_000;

export class Worker {
  #runner: Runner | undefined;
  #restart: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(private readonly options: WorkerOptions) {}

  async start(): Promise<void> {
    const runner = await startRunner(this.options);
    this.#runner = runner;
    runner.events.on('worker:stop', ({ error }) => {
      if (error !== undefined) this.#replace(runner);
    });
  }

  /**
   * Waits for running jobs, aborting them after some seconds. If Postgres may be away, the liveness
   * must be abandoned before.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#restart;
    await this.#runner?.stop();
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

async function startRunner(options: WorkerOptions): Promise<Runner> {
  const { dataSource, logger, liveness, concurrency, tasks } = options;
  const pool = jobPool(dataSource);
  const turns = turnsOf(pool);
  const events = new EventEmitter() as WorkerEvents;
  const alarm = new Alarm(dataSource, Object.keys(tasks), events);
  events.on('job:complete', ({ job }) => {
    // Where this fails, what waits for its turn looks again by itself.
    turns.ended(job.id, job.payload as NudgePayload).catch(() => undefined);
  });
  try {
    return await run({
      pgPool: listeningPool(pool, liveness, () => alarm.lookSoon()),
      events,
      taskList: Object.fromEntries(
        Object.entries(tasks).map(([name, handler]) => [
          name,
          (payload, { job, abortSignal = new AbortController().signal }) => {
            // One for all jobs, each of which listens, as the library does.
            setMaxListeners(concurrency + 1, abortSignal);
            return turns.take(job.id, payload as NudgePayload, () =>
              handler(payload as NudgePayload, abortSignal),
            );
          },
        ]),
      ),
      concurrency,
      noHandleSignals: true,
      pollInterval: POLL_MS,
      crontab: '',
      logger: jobLogger(logger),
      preset: { plugins: [livenessPlugin(liveness)] },
    });
  } catch (error) {
    alarm.stop();
    throw error;
  }
}

function jobLogger(logger: Logger): JobLogger {
  return new JobLogger(() => (level, message, meta) => {
    // The library's levels are a const enum, which isolated modules cannot name.
    if (/^error$/.test(level))
      logger.error({ err: (meta as { error?: unknown } | undefined)?.error }, message);
  });
}

function livenessPlugin(liveness: Liveness): GraphileConfig.Plugin {
  return {
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
  };
}
