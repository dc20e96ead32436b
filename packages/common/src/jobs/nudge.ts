/**
 * A nudge tells a worker to look at a resource. It is enqueued in the transaction that changed the
 * row, so that neither exists without the other. Nudges of one resource are one job
 * (job.repository.ts): those that wait are merged, and its runs take turns.
 */
import type { RequestContext } from '../context/request-context.js';
import { addJobs, hastenJobs, removeJobs, type NewJob } from './job.repository.js';

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

export function nudge(ctx: RequestContext, one: Nudge): Promise<void> {
  return nudgeAll(ctx, [one]);
}

/**
 * Nudges many resources, each named once, by one statement. Each takes the place of the nudge that
 * waits, but never delays it.
 */
export async function nudgeAll(ctx: RequestContext, nudges: readonly Nudge[]): Promise<void> {
  if (nudges.length === 0) return;
  const jobs = nudges.map(({ task, resource, id, attempt = 0, delayMs = 0, turn = 0 }): NewJob => ({
    task,
    resource,
    id,
    attempt,
    delay: delayMs,
    priority: turn,
  }));
  await addJobs(ctx.manager, jobs, ctx.serialise());
}

/**
 * Runs the later nudges of these resources now. Those already due keep their place, so that this
 * may be called at any rate, and every nudge keeps its payload.
 */
export async function hasten(
  { manager }: RequestContext,
  resource: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await hastenJobs(manager, resource, ids);
}

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
  await removeJobs(manager, task, id);
}
