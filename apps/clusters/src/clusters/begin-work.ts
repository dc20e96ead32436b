/** The one way into work on a cluster: its next state, its time, and the nudge, in one transaction. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { NOW } from '@cumulet/common/states/state-table';
import { transition, WrongStateError } from '@cumulet/common/states/transition';
import type { Cluster } from './cluster.entity.js';
import { ClusterBusyError } from './cluster.errors.js';
import { trustsOf } from './cluster-trusts.js';
import { clusters } from './cluster.table.js';
import {
  clusterStates,
  GRACE_SECONDS,
  type ClusterEvent,
  type ClusterState,
} from './cluster.states.js';
import { statusOf } from './cluster-status.js';
import type { NodeGroupId } from '../node-groups/node-group.resource.js';
import { nodeRows } from '../work/node-rows.js';

export const CLUSTER_TASK = 'cluster';

/** Where its client says 0. */
const DEFAULT_MINUTES = 60;

export function minutesOf({ createTimeout }: Pick<Cluster, 'createTimeout'>): number {
  return createTimeout === 0 ? DEFAULT_MINUTES : createTimeout;
}

/** Of an end, whose duration has nothing to do with how long a cluster may take to be made. */
const REMOVAL_MINUTES = 60;

/** How long work that leads to this state may take. */
export function minutesFor(cluster: Pick<Cluster, 'createTimeout'>, state: ClusterState): number {
  const minutes = minutesOf(cluster);
  return state === 'delete_in_progress' ? Math.max(minutes, REMOVAL_MINUTES) : minutes;
}

/** When a cluster that begins now is out of time, and the seconds of its state, which has some more. */
function timeOf(
  cluster: Pick<Cluster, 'createTimeout'>,
  state: ClusterState,
): { readonly timeoutAt: Date; readonly deadline: number } {
  const seconds = minutesFor(cluster, state) * 60;
  return { timeoutAt: new Date(Date.now() + seconds * 1_000), deadline: seconds + GRACE_SECONDS };
}

/** The same as columns: of a row that is made, and of work that goes on with further time. */
export function timeColumns(
  cluster: Pick<Cluster, 'createTimeout'>,
  state: ClusterState = clusterStates.initial,
): Pick<Cluster, 'timeoutAt' | 'stateDeadline'> {
  const { timeoutAt, deadline } = timeOf(cluster, state);
  return { timeoutAt, stateDeadline: new Date(Date.now() + deadline * 1_000) };
}

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
