import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Table } from '@cumulet/common/tables/table';
import { NO_ID } from '../resources/page-of-rows.js';
import { NotFoundError } from '../tree/tree.errors.js';
import { L7Policy } from './l7-policy.entity.js';

export const l7Policies = new Table(L7Policy, {
  missing: (key) => new NotFoundError('L7Policy', typeof key === 'string' ? key : ''),
});

/** A policy that a path names. @throws NotFoundError if the caller sees none */
export async function visiblePolicy(
  ctx: RequestContext,
  id: string | undefined,
): Promise<L7Policy> {
  const key = id !== undefined && isUuid(id) ? id : NO_ID;
  const policy = await l7Policies.find(ctx, key, reachable(ctx));
  if (!policy) throw new NotFoundError('L7Policy', id ?? '');
  return policy;
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
