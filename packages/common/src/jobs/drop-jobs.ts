import type { RequestContext } from '../context/request-context.js';

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
