/**
 * Advisory locks of one connection, which a process holds for as long as it lives, and which
 * end with either. Each worker holds one under its id, so whoever can take it knows that the worker
 * is dead, and frees its jobs: others resume the work of a process killed with SIGKILL within
 * seconds. Of the processes that could do the same periodic work, the one that holds its lock does.
 */
import pg from 'pg';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { busyWorkers, freeJobsOf, JOBS_CHANNEL } from './job.repository.js';
import type { Sweep } from './sweep.js';

const lockName = (workerId: string): string => `cumulet:worker:${workerId}`;

const LOCK = 'SELECT pg_advisory_lock(hashtextextended($1, 0))';
const TRY = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
const UNLOCK = 'SELECT pg_advisory_unlock(hashtextextended($1, 0))';
/**
 * Postgres notices within seconds that a machine is gone which could not say so, as when its power
 * failed. By default it takes two hours, for which the locks would stay.
 */
const KEEPALIVE =
  'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';
const LISTEN = `LISTEN ${JOBS_CHANNEL}`;
const RETRY_MS = 500;
const CONNECT_MS = 5_000;

/** @param task of which there is a job; undefined where notifications may have been lost */
type JobListener = (task?: string) => void;

export class Liveness {
  #client: pg.Client | undefined;
  #stopped = false;
  /** Living workers, and those of them whose lock this connection holds. */
  readonly #workers = new Set<string>();
  readonly #held = new Set<string>();
  /** The work that this process leads. */
  readonly #led = new Set<string>();
  readonly #listeners = new Set<JobListener>();
  /** Whether jobs may have come that nobody told this process of. */
  #mayHaveMissed = true;
  /** Serialises statements on the connection. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly connectionString: string,
    private readonly onLost: (error: Error) => void,
  ) {}

  /** Returns once the worker's lock is held, even if Postgres is away; no job is taken before. */
  hold(workerId: string): Promise<void> {
    this.#workers.add(workerId);
    return this.#inTurn(() => this.#take());
  }

  /**
   * Whether this process does the work of that name, rather than another. It does from the first
   * call that finds nobody else doing it until it has stopped or lost its connection. Waits while
   * Postgres is away.
   */
  async leads(work: string): Promise<boolean> {
    if (this.#led.has(work)) return true;
    await this.#inTurn(() => this.#tryToLead(work));
    return this.#led.has(work);
  }

  async #tryToLead(work: string): Promise<void> {
    await this.#take();
    const client = this.#client;
    const found = await client?.query<{ taken: boolean }>(TRY, [`cumulet:sweep:${work}`]);
    if (client === this.#client && found?.rows[0]?.taken === true) this.#led.add(work);
  }

  /** Releases the lock of a worker that ended before its process. */
  letGo(workerId: string): Promise<void> {
    this.#workers.delete(workerId);
    return this.#inTurn(() => this.#unlock(workerId));
  }

  /** Calls the listener when there are jobs, once a lock is held. @returns ends that */
  onJobs(listener: JobListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Runs a statement on the connection, once Postgres answers. */
  query(text: string): Promise<pg.QueryResult | undefined> {
    return this.#inTurn(async () => {
      await this.#take();
      return this.#client?.query(text);
    });
  }

  async #unlock(workerId: string): Promise<void> {
    if (!this.#held.delete(workerId)) return;
    // A lost connection has lost its locks too.
    await this.#client?.query(UNLOCK, [lockName(workerId)]).catch(() => undefined);
  }

  /** Stops waiting for locks; keeps those that are held. */
  abandon(): void {
    this.#stopped = true;
  }

  async stop(): Promise<void> {
    this.abandon();
    await this.#turn;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(work);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  async #take(): Promise<void> {
    while (!this.#stopped) {
      try {
        const client = (this.#client ??= await this.#open());
        for (const workerId of this.#workers) {
          if (this.#held.has(workerId)) continue;
          await client.query(LOCK, [lockName(workerId)]);
          this.#held.add(workerId);
        }
        if (this.#mayHaveMissed) this.#tellListeners();
        this.#mayHaveMissed = false;
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.connectionString,
      application_name: 'cumulet liveness',
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      connectionTimeoutMillis: CONNECT_MS,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the liveness connection ended')));
    client.on('notification', ({ payload }) => this.#tellListeners(payload));
    await client.connect();
    await client.query(`${KEEPALIVE}; ${LISTEN}`);
    return client;
  }

  #tellListeners(task?: string): void {
    for (const listener of this.#listeners) listener(task);
  }

  /** The locks went with the connection: retake them as soon as Postgres answers. */
  #lost(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#mayHaveMissed = true;
    this.#held.clear();
    this.#led.clear();
    this.onLost(error);
    void this.#inTurn(() => this.#take());
  }
}

/**
 * The workers whose lock nobody holds. A living one that lost its connection retakes its lock
 * within a second, so only one without a lock at two looks in a row is dead.
 * @param tx an open transaction, whose end releases the locks that were tried
 * @param workerIds each of them once
 */
export async function silentAmong(
  tx: EntityManager,
  workerIds: readonly string[],
): Promise<string[]> {
  const rows: { worker: string }[] = await tx.query(
    `SELECT worker FROM unnest($1::text[]) AS worker
      WHERE pg_try_advisory_xact_lock(hashtextextended('cumulet:worker:' || worker, 0))`,
    [workerIds],
  );
  return rows.map(({ worker }) => worker);
}

/** Interval of checks for dead workers, and the grace period. */
const LOOK_MS = 5_000;
const RECONNECT_MS = 2_000;

/** Frees the jobs of dead workers for other processes. */
export function deadWorkerSweep(logger: Logger): Sweep {
  let suspects: readonly string[] = [];
  return {
    name: 'dead-workers',
    everyMs: () => (suspects.length > 0 ? RECONNECT_MS : LOOK_MS),
    run: async ({ manager }) => {
      const workers = await busyWorkers(manager);
      if (workers.length === 0) {
        suspects = [];
        return;
      }
      await manager.transaction(async (tx) => {
        const silent = await silentAmong(tx, workers);
        const dead = silent.filter((worker) => suspects.includes(worker));
        suspects = silent;
        if (dead.length === 0) return;
        await freeJobsOf(tx, dead);
        logger.warn({ workers: dead }, 'freed the jobs of dead workers');
      });
    },
  };
}
