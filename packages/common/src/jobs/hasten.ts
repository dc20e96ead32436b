import type { RequestContext } from '../context/request-context.js';
import { jobKey } from './nudge.js';

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
