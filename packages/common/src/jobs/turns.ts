/**
 * Runs of one resource take turns, in all processes together.
 *
 * Always holds: a nudge that comes during a run becomes a job of its own, and takes the key from
 * the job that runs (`add_jobs` of graphile-worker). So a job whose resource is being worked on finds
 * that run by its missing key, and is put off until it has ended. The lock of a run is its job's own,
 * which outlasts a lost connection and is freed for the dead (liveness.ts).
 */
import type pg from 'pg';
import { HASTEN, jobKey, type NudgePayload } from './nudge.js';

/** How often a job looks whether a run in another process has ended; one in this process tells. */
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

export class Turns {
  /** The job that runs, by its resource's key. */
  readonly #running = new Map<string, string>();
  /** The keys of jobs that wait for one of those to end. */
  readonly #awaited = new Set<string>();

  constructor(private readonly pool: pg.Pool) {}

  /** Runs a job's work, or puts the job off while another of its resource runs. */
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

/** Those of a process: its workers share them with the pool. */
export function turnsOf(pool: pg.Pool): Turns {
  const turns = known.get(pool) ?? new Turns(pool);
  known.set(pool, turns);
  return turns;
}
