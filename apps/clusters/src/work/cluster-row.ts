/** Writes of a cluster's own row by its work: each only while nobody else has begun other work. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { amend } from '@cumulet/common/states/transition';
import type { Cluster } from '../clusters/cluster.entity.js';
import { clusterStates } from '../clusters/cluster.states.js';
import type { Condition, ConditionName } from '../clusters/conditions.js';

/** @throws RowChangedError where other work has begun. The loaded row is changed, too. */
export async function note(
  ctx: RequestContext,
  row: Cluster,
  set: Partial<Cluster>,
): Promise<void> {
  await amend(ctx, clusterStates, row.id, { only: { generation: row.generation }, set });
  Object.assign(row, set);
}

/** How a reason begins that is over as soon as anything else can be told. */
export const TRYING_AGAIN = 'Trying again: ';

/**
 * The same of one condition, which also tells how far the cluster is, unless another has told that;
 * written only where it differs.
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
