/**
 * A nudge tells a worker to look at a resource. It is enqueued in the transaction that changed the
 * row, so that neither exists without the other. Nudges of one resource share a queue, which
 * serialises its work, and a key, which merges them.
 */
import type { RequestContext, SerialisedContext } from '../context/request-context.js';

export interface Nudge {
  /** The task that reconciles this resource; names the host if a host owns the work. */
  readonly task: string;
  readonly resource: string;
  readonly id: string;
  /** How often this work has failed transiently so far. */
  readonly attempt?: number;
  readonly delayMs?: number;
}

/** A job's payload. */
export interface NudgePayload {
  readonly resource: string;
  readonly id: string;
  readonly attempt: number;
  readonly context: SerialisedContext;
}

function jobKey(resource: string, id: string): string {
  return `${resource}:${id}`;
}

export async function nudge(
  ctx: RequestContext,
  { task, resource, id, attempt = 0, delayMs = 0 }: Nudge,
): Promise<void> {
  const payload: NudgePayload = { resource, id, attempt, context: ctx.serialise() };
  await ctx.manager.query(
    `SELECT graphile_worker.add_job($1, $2::json, queue_name => $3, job_key => $3,
        job_key_mode => 'replace', run_at => now() + $4::double precision * interval '1 millisecond')`,
    [task, JSON.stringify(payload), jobKey(resource, id), delayMs],
  );
}

/**
 * Runs the later nudges of these resources now. Those already due keep their place, so that this
 * may be called at any rate, and every nudge keeps its payload.
 */
export async function hasten(
  ctx: RequestContext,
  resource: string,
  ids: readonly string[],
): Promise<void> {
  await ctx.manager.query(
    `SELECT FROM graphile_worker.reschedule_jobs(
       ARRAY(SELECT id FROM graphile_worker._private_jobs
              WHERE key = ANY($1) AND run_at > now() AND locked_at IS NULL),
       run_at => now())`,
    [ids.map((id) => jobKey(resource, id))],
  );
}
