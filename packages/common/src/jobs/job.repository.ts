/**
 * The table of jobs: at most one for a resource, so that its runs take turns. A row says that a run is
 * wanted, from `run_at` on, that `worker` runs one now, or both: a nudge during a run asks for
 * another after it. The row is removed when neither is so. Workers hear of changes by notifications of
 * the channel `jobs`, with the task as payload.
 */
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import type { SerialisedContext } from '../context/request-context.js';

/** What names a job. */
export interface JobKey {
  readonly resource: string;
  readonly id: string;
}

/** A job as its worker takes it. */
export interface Job extends JobKey {
  readonly attempt: number;
  readonly context: SerialisedContext;
}

/** A job as it is added. */
export interface NewJob extends JobKey {
  readonly task: string;
  readonly attempt: number;
  /** Milliseconds from now. */
  readonly delay: number;
  readonly priority: number;
}

export const JOBS_CHANNEL = 'jobs';

/** @returns the same text as JOB_KEY in SQL */
export function jobKey({ resource, id }: JobKey): string {
  return `${resource}:${id}`;
}

const JOB_KEY = "resource || ':' || id";

/** A statement that tells workers of the jobs that `change` returns the tasks of. */
function told(change: string): string {
  return `
    WITH changed AS (${change})
    SELECT pg_notify('${JOBS_CHANNEL}', task) FROM (SELECT DISTINCT task FROM changed) AS tasks`;
}

/** An earlier time stays: `least` ignores the null of a job that only runs. */
const ADD = told(`
  INSERT INTO jobs (resource, id, task, attempt, context, priority, run_at)
  SELECT resource, id, task, attempt, $2, priority, now() + delay * interval '1 millisecond'
    FROM json_to_recordset($1)
      AS added (resource text, id text, task text, attempt integer, priority smallint,
                delay double precision)
   ORDER BY resource, id
  ON CONFLICT (resource, id) DO UPDATE
     SET task = excluded.task, attempt = excluded.attempt, context = excluded.context,
         priority = excluded.priority, failures = 0, nudged_at = now(),
         run_at = least(jobs.run_at, excluded.run_at)
  RETURNING task`);

/**
 * Locks in the order in which ADD does, so that there is no deadlock. By keys: a row that changed while it
 * was waited for is not found by its ctid.
 */
const HASTEN = told(`
  UPDATE jobs SET run_at = now()
   WHERE (resource, id) IN (
           SELECT resource, id FROM jobs
            WHERE resource = $1 AND id = ANY($2) AND run_at > now()
            ORDER BY resource, id FOR UPDATE)
  RETURNING task`);

/**
 * Gives back jobs of a condition, but for those that another transaction is changing: it may be waiting
 * for one of them. They are given back at the next look.
 */
function giveBack(condition: string): string {
  return told(`
    UPDATE jobs SET worker = NULL, run_at = coalesce(run_at, now())
     WHERE (resource, id) IN (
             SELECT resource, id FROM jobs WHERE ${condition} FOR UPDATE SKIP LOCKED)
    RETURNING task`);
}

const FREE = giveBack('worker = ANY($1)');

/** @param jobs of different resources */
export async function addJobs(
  manager: EntityManager,
  jobs: readonly NewJob[],
  context: SerialisedContext,
): Promise<void> {
  await manager.query(ADD, [JSON.stringify(jobs), JSON.stringify(context)]);
}

/** Has the jobs run now that wait for a later time. */
export async function hastenJobs(
  manager: EntityManager,
  resource: string,
  ids: readonly string[],
): Promise<void> {
  await manager.query(HASTEN, [resource, ids]);
}

export async function removeJobs(manager: EntityManager, task: string, id: string): Promise<void> {
  await manager.query('DELETE FROM jobs WHERE task = $1 AND id = $2', [task, id]);
}

/** The workers that run jobs, each once. */
export async function busyWorkers(manager: EntityManager): Promise<string[]> {
  const rows: { worker: string }[] = await manager.query(
    'SELECT DISTINCT worker FROM jobs WHERE worker IS NOT NULL',
  );
  return rows.map(({ worker }) => worker);
}

/** Has others run the jobs of these workers. */
export async function freeJobsOf(
  manager: EntityManager,
  workers: readonly string[],
): Promise<void> {
  await manager.query(FREE, [workers]);
}

export async function countJobs(manager: EntityManager): Promise<number> {
  const rows: { count: number }[] = await manager.query('SELECT count(*)::int AS count FROM jobs');
  return rows[0]?.count ?? 0;
}

/** An SQL condition: the resource with that id has a job. @param resource, id as SQL */
export function hasJob(resource: string, id: string): string {
  return `EXISTS (SELECT FROM jobs WHERE jobs.resource = ${resource} AND jobs.id = ${id}::text)`;
}

/** An SQL condition: a worker runs the job of the resource with that id. @param resource, id as SQL */
export function isInHand(resource: string, id: string): string {
  return `EXISTS (SELECT FROM jobs WHERE jobs.resource = ${resource} AND jobs.id = ${id}::text
                     AND worker IS NOT NULL)`;
}

/** Of the worker, its tasks, and how many jobs at most. */
export const TAKE = {
  name: 'cumulet_take_jobs',
  text: `
    UPDATE jobs SET worker = $1, run_at = NULL
     WHERE ctid = ANY(ARRAY(
             SELECT ctid FROM jobs
              WHERE worker IS NULL AND run_at <= now() AND task = ANY($2)
              ORDER BY priority, run_at LIMIT $3 FOR UPDATE SKIP LOCKED))
    RETURNING resource, id, attempt, context`,
};

const NEXT = {
  name: 'cumulet_next_job',
  text: `
    SELECT extract(epoch FROM min(run_at) - clock_timestamp())::double precision * 1000 AS ms
      FROM jobs WHERE worker IS NULL AND task = ANY($1)`,
};

const END = {
  name: 'cumulet_end_job',
  text: 'DELETE FROM jobs WHERE resource = $1 AND id = $2 AND worker = $3 AND run_at IS NULL',
};

const GIVE_BACK = {
  name: 'cumulet_give_back_job',
  text: told(`
    UPDATE jobs SET worker = NULL
     WHERE resource = $1 AND id = $2 AND worker = $3 AND run_at IS NOT NULL
    RETURNING task`),
};

const GIVE_BACK_OTHERS = {
  name: 'cumulet_give_back_other_jobs',
  text: giveBack(`worker = $1 AND ${JOB_KEY} <> ALL($2)`),
};

/** Seconds double with each failure in a row. */
const RETRY = {
  name: 'cumulet_retry_job',
  text: told(`
    UPDATE jobs
       SET worker = NULL, failures = least(failures + 1, 8),
           run_at = coalesce(run_at, now() + (2 ^ failures) * interval '1 second')
     WHERE resource = $1 AND id = $2 AND worker = $3
    RETURNING task`),
};

/** The jobs as a worker sees them, over connections of their own. */
export class JobsOfWorker {
  constructor(
    private readonly pool: pg.Pool,
    private readonly worker: string,
    private readonly tasks: readonly string[],
  ) {}

  /** Takes the first of the jobs that are due, and that no other worker is taking. */
  async take(count: number): Promise<readonly Job[]> {
    const values = [this.worker, this.tasks, count];
    return (await this.pool.query<Job>({ ...TAKE, values })).rows;
  }

  /** Milliseconds until the next job that nobody runs; undefined without one. */
  async untilNext(): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ ms: number | null }>({
      ...NEXT,
      values: [this.tasks],
    });
    return rows[0]?.ms ?? undefined;
  }

  /** Removes a job that has run, or has it wait where it was nudged meanwhile. */
  async end(job: JobKey): Promise<void> {
    const values = this.#held(job);
    const { rowCount } = await this.pool.query({ ...END, values });
    if (rowCount === 0) await this.pool.query({ ...GIVE_BACK, values });
  }

  /** Has others run the jobs that are the worker's, but for those with these keys. */
  async giveBackAllBut(keys: readonly string[]): Promise<void> {
    await this.pool.query({ ...GIVE_BACK_OTHERS, values: [this.worker, keys] });
  }

  /** Has a job wait that failed in a way that its task does not explain. */
  async retry(job: JobKey): Promise<void> {
    await this.pool.query({ ...RETRY, values: this.#held(job) });
  }

  #held({ resource, id }: JobKey): string[] {
    return [resource, id, this.worker];
  }
}
