/** The only way to begin work: sets state and time-out, and nudges, in one transaction. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { NOW } from '@cumulet/common/states/state-table';
import { transition, WrongStateError } from '@cumulet/common/states/transition';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterBusyError } from '../clusters/cluster.errors.js';
import { trustsOf } from '../clusters/cluster-trusts.js';
import { clusters } from '../clusters/cluster.repository.js';
import {
  clusterStates,
  type ClusterEvent,
  type ClusterState,
  statusOf,
  timeOf,
} from '../clusters/cluster.states.js';
import type { NodeGroupId } from '../node-groups/node-group.resource.js';
import { nodeRows } from '../nodes/node-rows.js';

export const CLUSTER_TASK = 'cluster';

type Columns = Partial<Omit<Cluster, 'id' | 'state'>>;

export interface Work {
  /** For a refusal: `Upgrading`, before "a cluster". */
  readonly doing: string;
  readonly set?: Columns;
  /** IDs of the affected node groups, or `all` for work on the whole cluster. */
  readonly groups: readonly NodeGroupId[] | 'all';
  /** The cluster's reason meanwhile. */
  readonly reason?: string;
}

/**
 * After failed work, replaces nodes that cannot become ready. Discards the rollback data of an
 * earlier change.
 * @throws ClusterBusyError if the cluster's state does not allow the event
 */
export async function beginWork(
  tx: RequestContext,
  cluster: Cluster,
  event: ClusterEvent,
  { doing, set = {}, groups, reason }: Work,
): Promise<void> {
  const { timeoutAt, deadline } = timeOf(cluster, clusterStates.events[event].to);
  // Read from the locked row, since another request may have changed its trust.
  const former =
    set.trustId === undefined
      ? {}
      : { formerTrustIds: trustsOf(await clusters.lock(tx, cluster.id)) };
  const before = await transition(tx, clusterStates, cluster.id, event, {
    set: { rollbackTo: null, ...set, ...former, timeoutAt, updatedAt: NOW },
    deadline,
    reason: reason ?? null,
  }).catch((error: unknown) => {
    if (!(error instanceof WrongStateError)) throw error;
    throw new ClusterBusyError(doing, statusOf(error.state as ClusterState));
  });
  await updateGroups(tx, cluster.id, clusterStates.events[event].to, groups);
  await nudge(tx, { task: CLUSTER_TASK, resource: 'cluster', id: cluster.id });
  const isRetried = before.endsWith('_failed') && event !== 'remove';
  // After the nudge, since reports of nodes use this order too.
  if (isRetried) await nodeRows.giveUpFailed(tx, cluster);
}

const UPDATE_GROUPS = `
  UPDATE node_groups
     SET status = CASE WHEN is_leaving THEN 'DELETE_IN_PROGRESS' ELSE $2 END,
         status_reason = NULL, updated_at = clock_timestamp()
   WHERE cluster_id = $1
     AND ($3::uuid[] IS NULL OR id = ANY($3) OR status LIKE '%\\_FAILED')
     AND NOT ($2 = 'UPDATE_IN_PROGRESS' AND status = 'CREATE_IN_PROGRESS')`;

/**
 * Updates the affected groups and those that failed earlier. New groups stay in creation, leaving
 * groups in deletion.
 */
function updateGroups(
  { manager }: RequestContext,
  id: string,
  state: ClusterState,
  groups: Work['groups'],
): Promise<unknown> {
  return preparedRows(manager, UPDATE_GROUPS, [
    id,
    statusOf(state),
    groups === 'all' ? null : groups,
  ]);
}
