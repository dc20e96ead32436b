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
import type pg from 'pg';
import { Alarm } from './alarm.js';
import { jobPool } from './job-pool.js';
import type { Liveness, Listener } from './liveness.js';
import { type NudgePayload, HASTEN, jobKey } from './nudge.js';

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
    this.options.logger.warn('a job could not be ended in the database; the workers are restarted');
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
    // If this fails, the waiting job looks again by itself.
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

/** The signature by which the library asks for its listening connection. */
type Listen = (error: undefined, client: Listener, release: () => void) => void;

/** @param onListening called whenever notifications are heard from now on */
function listeningPool(pool: pg.Pool, liveness: Liveness, onListening: () => void): pg.Pool {
  const listen = async (listening: Listen): Promise<void> => {
    const client = await liveness.listener();
    if (client) listening(undefined, shared(client, onListening), () => undefined);
  };
  // The part of a pool that the library uses.
  return {
    options: pool.options,
    query: pool.query.bind(pool),
    on: pool.on.bind(pool),
    removeListener: pool.removeListener.bind(pool),
    connect: (listening?: Listen) => (listening ? void listen(listening) : pool.connect()),
  } as unknown as pg.Pool;
}

/** Others may keep listening when one stops. */
function shared(client: Listener, onListening: () => void): Listener {
  return {
    ...client,
    async query(text) {
      if (text.startsWith('UNLISTEN')) return;
      await client.query(text);
      onListening();
    },
  };
}

/** Interval at which a waiting job checks for the end of a run in another process. */
const LOOK_MS = 1_000;

const IS_TAKEN = `
  SELECT FROM graphile_worker._private_jobs
   WHERE key IS NULL AND locked_at IS NOT NULL AND id <> $1
     AND payload->>'id' = $2 AND payload->>'resource' = $3`;

/**
 * The library ends a job by its id, once its task returns: under a new one it stays. A job that has
 * lost its key ends, as a newer one has come for it.
 */
const PUT_OFF = `
  UPDATE graphile_worker._private_jobs
     SET id = DEFAULT, locked_by = NULL, locked_at = NULL, attempts = attempts - 1,
         run_at = now() + $2::double precision * interval '1 millisecond'
   WHERE id = $1 AND key IS NOT NULL`;

class Turns {
  /** The running job, by its resource's key. */
  readonly #running = new Map<string, string>();
  /** Keys that other jobs wait for. */
  readonly #awaited = new Set<string>();

  constructor(private readonly pool: pg.Pool) {}

  /** Runs a job's work, or postpones the job while another of its resource runs. */
  async take(
    jobId: string,
    { resource, id }: NudgePayload,
    work: () => Promise<void>,
  ): Promise<void> {
    const key = jobKey(resource, id);
    const other = this.#running.get(key);
    if (!(await this.#isTaken(jobId, resource, id))) {
      this.#running.set(key, jobId);
      return work();
    }
    await this.pool.query(PUT_OFF, [jobId, LOOK_MS]);
    if (other === undefined) return;
    if (this.#running.get(key) === other) this.#awaited.add(key);
    else await this.#hasten(key);
  }

  /** To be called once the job has been removed. */
  async ended(jobId: string, { resource, id }: NudgePayload): Promise<void> {
    const key = jobKey(resource, id);
    if (this.#running.get(key) !== jobId) return;
    this.#running.delete(key);
    if (this.#awaited.delete(key)) await this.#hasten(key);
  }

  async #isTaken(jobId: string, resource: string, id: string): Promise<boolean> {
    const values = [jobId, id, resource];
    const { rows } = await this.pool.query({ name: 'cumulet_turn', text: IS_TAKEN, values });
    return rows.length > 0;
  }

  async #hasten(key: string): Promise<void> {
    await this.pool.query(HASTEN, [[key]]);
  }
}

const known = new WeakMap<pg.Pool, Turns>();

/** The turns of a process, shared by its workers. */
function turnsOf(pool: pg.Pool): Turns {
  const turns = known.get(pool) ?? new Turns(pool);
  known.set(pool, turns);
  return turns;
}
