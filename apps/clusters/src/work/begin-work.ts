/** The one way into work on a cluster: its next state, its time, and the nudge, in one transaction. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { NOW } from '@cumulet/common/states/state-table';
import { transition, WrongStateError } from '@cumulet/common/states/transition';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterBusyError } from '../clusters/cluster.errors.js';
import { trustsOf } from '../clusters/cluster-trusts.js';
import { clusters } from '../clusters/cluster.table.js';
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
  /** The operation, for who is refused it: `Upgrading`, before "a cluster". */
  readonly doing: string;
  readonly set?: Columns;
  /** The node groups that it is about, by their ids; all of them where it is about the whole cluster. */
  readonly groups: readonly NodeGroupId[] | 'all';
  /** What it is a consequence of, as the cluster's reason. */
  readonly reason?: string;
}

/**
 * After work that has failed, nodes that cannot become ready any more make room for others. What a
 * former change would have come back to counts for that change alone.
 * @throws ClusterBusyError where the cluster's state does not allow it
 */
export async function beginWork(
  tx: RequestContext,
  cluster: Cluster,
  event: ClusterEvent,
  { doing, set = {}, groups, reason }: Work,
): Promise<void> {
  const { timeoutAt, deadline } = timeOf(cluster, clusterStates.events[event].to);
  // Of the row as it is now: another request may have given it a trust since this one read it.
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
  await tellGroups(tx, cluster.id, clusterStates.events[event].to, groups);
  await nudge(tx, { task: CLUSTER_TASK, resource: 'cluster', id: cluster.id });
  const isRetried = before.endsWith('_failed') && event !== 'remove';
  // After the nudge: nodes that report take both in this order.
  if (isRetried) await nodeRows.giveUpFailed(tx, cluster);
}

const TELL = `
  UPDATE node_groups
     SET status = CASE WHEN is_leaving THEN 'DELETE_IN_PROGRESS' ELSE $2 END,
         status_reason = NULL, updated_at = clock_timestamp()
   WHERE cluster_id = $1
     AND ($3::uuid[] IS NULL OR id = ANY($3) OR status LIKE '%\\_FAILED')
     AND NOT ($2 = 'UPDATE_IN_PROGRESS' AND status = 'CREATE_IN_PROGRESS')`;

/**
 * Those that the work is about, and with them those that former work has failed with; one that is new
 * goes on being made, one that is to go goes on going.
 */
function tellGroups(
  { manager }: RequestContext,
  id: string,
  state: ClusterState,
  groups: Work['groups'],
): Promise<unknown> {
  return preparedRows(manager, TELL, [id, statusOf(state), groups === 'all' ? null : groups]);
}
