/**
 * A nudge tells a worker to look at a resource. It is enqueued in the transaction that changed the
 * row, so that neither exists without the other. Nudges of one resource share a key, which merges
 * those that wait; that its runs take turns is up to the workers (worker.ts).
 */
import type { RequestContext, SerialisedContext } from '../context/request-context.js';

export interface Nudge {
  /** The task that reconciles this resource; names the host if a host owns the work. */
  readonly task: string;
  readonly resource: string;
  readonly id: string;
  /** Transient failures so far. */
  readonly attempt?: number;
  readonly delayMs?: number;
  /** Priority of due jobs: lower ones first; 0 by default, up to 32,767. */
  readonly turn?: number;
}

/** A job's payload. */
export interface NudgePayload {
  readonly resource: string;
  readonly id: string;
  readonly attempt: number;
  readonly context: SerialisedContext;
}

export function jobKey(resource: string, id: string): string {
  return `${resource}:${id}`;
}

export function nudge(ctx: RequestContext, one: Nudge): Promise<void> {
  return nudgeAll(ctx, [one]);
}

/** Nudges many resources, each named once, by one statement. */
export async function nudgeAll(ctx: RequestContext, nudges: readonly Nudge[]): Promise<void> {
  const context = ctx.serialise();
  let jobs = nudges.map(({ task, resource, id, attempt = 0, delayMs = 0, turn = 0 }) => {
    const payload: NudgePayload = { resource, id, attempt, context };
    return { task, payload, key: jobKey(resource, id), delay_ms: delayMs, turn };
  });
  // The library passes over a job that a worker takes while it is being replaced, and says so by
  // leaving it out. That worker may have read the row as it was before: nudge again.
  while (jobs.length > 0) {
    const added: { key: string }[] = await ctx.manager.query(ADD_JOBS, [JSON.stringify(jobs)]);
    const keys = new Set(added.map(({ key }) => key));
    jobs = jobs.filter(({ key }) => !keys.has(key));
  }
}

/** A later job never delays one that is due earlier. */
const ADD_JOBS = `
  SELECT key FROM graphile_worker.add_jobs(ARRAY(
    SELECT (task, payload, NULL,
            CASE WHEN delay_ms > 0 THEN least(
              now() + delay_ms * interval '1 millisecond',
              (SELECT run_at FROM graphile_worker._private_jobs AS waiting
                WHERE waiting.key = job.key AND locked_at IS NULL))
            ELSE now() END,
            NULL, key, turn, NULL)::graphile_worker.job_spec
      FROM json_to_recordset($1)
        AS job (task text, payload json, key text, delay_ms double precision, turn smallint)
     ORDER BY key))`;

/**
 * Runs the later nudges of these resources now. Those already due keep their place, so that this
 * may be called at any rate, and every nudge keeps its payload.
 */
export async function hasten(
  ctx: RequestContext,
  resource: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await ctx.manager.query(HASTEN, [ids.map((id) => jobKey(resource, id))]);
}

/** Makes the jobs with the keys `$1` due now. The library only notifies of new jobs. */
export const HASTEN = `
  SELECT pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text)
    FROM graphile_worker.reschedule_jobs(
           ARRAY(SELECT id FROM graphile_worker._private_jobs
                  WHERE key = ANY($1) AND run_at > now() AND locked_at IS NULL),
           run_at => now())
  HAVING count(*) > 0`;

/**
 * Removes a resource's jobs of a task that nobody will do any more: also those that a worker has in
 * hand which is dead, as runs of a resource wait for each other. Nudge the resource anew, in the same
 * transaction.
 */
export async function dropJobs(
  { manager }: RequestContext,
  task: string,
  id: string,
): Promise<void> {
  await manager.query(
    `DELETE FROM graphile_worker._private_jobs
      WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = $1)
        AND payload->>'id' = $2`,
    [task, id],
  );
}
