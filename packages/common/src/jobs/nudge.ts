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

export function jobKey(resource: string, id: string): string {
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
