/**
 * The order of a listener's policies: from 1, without gaps. One that is new or moves takes its place
 * among the others, which make room; a place beyond the end is the end.
 * Public source: Load Balancer API v2 reference, "Create an L7 Policy", `position`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

/** @param ids in order, with or without it; what is in order already is returned as it is */
export function placed(ids: readonly string[], id: string, position: number): string[] {
  const others = without(ids, id);
  const at = Math.min(Math.max(position, 1) - 1, others.length);
  return [...others.slice(0, at), id, ...others.slice(at)];
}

export function without(ids: readonly string[], id: string): string[] {
  return ids.filter((one) => one !== id);
}

/** The ids of a listener's policies, in order. */
export async function orderOf({ manager }: RequestContext, listenerId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    manager,
    `SELECT id FROM l7_policies
      WHERE listener_id = $1 AND provisioning_status <> 'PENDING_DELETE'
      ORDER BY position, created_at, id`,
    [listenerId],
  );
  return rows.map(({ id }) => id);
}

/** Gives them the positions from 1 on, in this order. */
export async function reorder({ manager }: RequestContext, ids: readonly string[]): Promise<void> {
  await preparedRows(
    manager,
    `UPDATE l7_policies SET position = place.at
       FROM unnest($1::uuid[]) WITH ORDINALITY AS place (id, at)
      WHERE l7_policies.id = place.id AND l7_policies.position <> place.at`,
    [ids],
  );
}
