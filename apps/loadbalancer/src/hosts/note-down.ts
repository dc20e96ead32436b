/**
 * What is shown of load balancers that nobody runs, or that nobody can say anything about. Each process
 * writes it: load balancers before their parts, and of either those with the lower ids first.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

/** Why the load balancers of a dead host are down, for their owners. */
export const HOST_IS_DOWN = 'The host that ran it went down.';

/** No client reaches them. What is switched off stays OFFLINE; of members nothing new is known. */
export async function noteDown(ctx: RequestContext, ids: readonly string[]): Promise<void> {
  await preparedRows(
    ctx.manager,
    `UPDATE load_balancers SET operating_status = 'ERROR'
      WHERE id IN (SELECT id FROM load_balancers
                    WHERE id = ANY($1) AND admin_state_up AND operating_status <> 'ERROR'
                    ORDER BY id FOR NO KEY UPDATE)`,
    [ids],
  );
  await preparedRows(
    ctx.manager,
    `UPDATE listeners SET operating_status = 'ERROR'
      WHERE id IN (SELECT id FROM listeners
                    WHERE load_balancer_id = ANY($1) AND admin_state_up
                      AND operating_status <> 'ERROR'
                    ORDER BY id FOR NO KEY UPDATE)`,
    [ids],
  );
}

/** Those of a dead host stay its own where no other lives: it may come back. */
export async function noteUnwatched(ctx: RequestContext, host: string): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    ctx.manager,
    `UPDATE load_balancers SET state_reason = $2
      WHERE id IN (SELECT id FROM load_balancers
                    WHERE host = $1 AND state = 'active' AND state_reason IS DISTINCT FROM $2
                    ORDER BY id FOR NO KEY UPDATE)
      RETURNING id`,
    [host, HOST_IS_DOWN],
  );
  if (rows.length > 0)
    await noteDown(
      ctx,
      rows.map(({ id }) => id),
    );
}

/** The host is back, and sees for itself how they are. */
export async function noteWatched(ctx: RequestContext, host: string): Promise<void> {
  await preparedRows(
    ctx.manager,
    `UPDATE load_balancers SET state_reason = NULL
      WHERE id IN (SELECT id FROM load_balancers
                    WHERE host = $1 AND state = 'active' AND state_reason IS NOT NULL
                    ORDER BY id FOR NO KEY UPDATE)`,
    [host],
  );
}
