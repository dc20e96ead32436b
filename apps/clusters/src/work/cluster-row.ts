/** Writes of a cluster's row by its own work, only while no other work has begun. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { amend } from '@cumulet/common/states/transition';
import type { Cluster } from '../clusters/cluster.entity.js';
import { clusterStates } from '../clusters/cluster.states.js';
import type { Condition, ConditionName } from '../clusters/conditions.js';

/** Also updates the loaded row. @throws RowChangedError if other work has begun */
export async function note(
  ctx: RequestContext,
  row: Cluster,
  set: Partial<Cluster>,
): Promise<void> {
  await amend(ctx, clusterStates, row.id, { only: { generation: row.generation }, set });
  Object.assign(row, set);
}

/** The prefix of a reason that any later progress replaces. */
export const TRYING_AGAIN = 'Trying again: ';

/**
 * Updates a condition if it differs. A pending one also becomes the cluster's reason, unless
 * another has set that.
 */
export async function noteCondition(
  ctx: RequestContext,
  row: Cluster,
  name: ConditionName,
  condition: Condition,
): Promise<void> {
  const known = row.conditions[name];
  const isKnown = known?.status === condition.status && known.reason === condition.reason;
  const words = condition.status === 'pending' && condition.reason !== '' ? condition.reason : null;
  const isTold = words === null || row.stateReason?.startsWith(TRYING_AGAIN) === false;
  if (isKnown && isTold) return;
  const isOver = words === null && known !== undefined && known.reason === row.stateReason;
  await note(ctx, row, {
    conditions: { ...row.conditions, [name]: condition },
    ...(words !== null || isOver ? { stateReason: words } : {}),
  });
}
