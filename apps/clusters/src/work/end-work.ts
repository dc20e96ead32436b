/** Writes made when work on a cluster ends: the status of node groups, and reasons. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { beginWork } from './begin-work.js';
import type { ClusterEvent } from '../clusters/cluster.states.js';
import { clusters } from '../clusters/cluster.repository.js';
import type { NodeGroup, NodeGroupId } from '../node-groups/node-group.resource.js';
import { nodeGroups } from '../node-groups/node-group.repository.js';
import type { Node } from '../nodes/node.entity.js';
import { nodes } from '../nodes/node.repository.js';
import { describeNodes } from './describe.js';

/** New groups become CREATE_COMPLETE, others UPDATE_COMPLETE. */
const SUCCEED = `
  UPDATE node_groups
     SET status = replace(status, 'IN_PROGRESS', 'COMPLETE'), status_reason = NULL
   WHERE cluster_id = $1 AND status LIKE '%\\_IN\\_PROGRESS'`;

/** Groups that the work did not affect may be at fault too. */
const FAIL = `
  UPDATE node_groups
     SET status = CASE WHEN status LIKE '%\\_IN\\_PROGRESS'
                       THEN replace(status, 'IN_PROGRESS', 'FAILED') ELSE 'UPDATE_FAILED' END,
         status_reason = $3
   WHERE cluster_id = $1 AND id = ANY($2)`;

/** Clears the last wait, but keeps the reason for a rollback. */
const CLEAR = `
  UPDATE clusters
     SET state_reason = 'Rolled back: ' || (rollback_to ->> 'reason'), rollback_to = NULL
   WHERE id = $1`;

/** Both reasons are kept. */
const EXPLAIN = `
  UPDATE clusters
     SET state_reason = state_reason || ' This was to take back a change that had failed: '
                        || (rollback_to ->> 'reason'),
         rollback_to = NULL
   WHERE id = $1`;

@Injectable()
export class EndWork {
  async ended(
    tx: RequestContext,
    id: string,
    event: ClusterEvent,
    reason: string | null,
  ): Promise<void> {
    const clusterId = id as ClusterId;
    if (event.startsWith('succeed_')) return this.#succeeded(tx, clusterId);
    await this.#failed(tx, clusterId, event, reason ?? '');
    if (event === 'fail_rollback') await preparedRows(tx.manager, EXPLAIN, [clusterId]);
    if (event === 'fail_update') await this.#rollBack(tx, clusterId, reason ?? '');
  }

  async #succeeded({ manager }: RequestContext, id: ClusterId): Promise<void> {
    await preparedRows(manager, SUCCEED, [id]);
    await preparedRows(manager, CLEAR, [id]);
  }

  async #failed(
    tx: RequestContext,
    id: ClusterId,
    event: ClusterEvent,
    reason: string,
  ): Promise<void> {
    const groups = await nodeGroups.ofCluster(tx, id);
    const all = event === 'fail_delete' ? [] : await nodes.ofCluster(tx, id);
    for (const [group, fault] of faultsOf(groups, all, reason))
      await preparedRows(tx.manager, FAIL, [id, [group.id], fault]);
    await preparedRows(tx.manager, SUCCEED, [id]);
  }

  /** Begins the rollback of a change that asked for it. */
  async #rollBack(tx: RequestContext, id: ClusterId, reason: string): Promise<void> {
    const cluster = await clusters.get(tx, id);
    if (!cluster.rollbackTo) return;
    const { counts } = cluster.rollbackTo;
    const groups = Object.keys(counts) as NodeGroupId[];
    for (const groupId of groups)
      await nodeGroups.update(tx, { id: groupId }, { nodeCount: counts[groupId] ?? 0 });
    const set = { rollbackTo: { counts, reason } };
    await beginWork(tx, cluster, 'roll_back', { doing: 'Rolling back', set, groups, reason });
  }
}

/**
 * Groups at fault name their nodes; if none is, all affected groups have the cluster's reason.
 * Leaving groups have failed in any case.
 */
function faultsOf(
  groups: readonly NodeGroup[],
  all: readonly Node[],
  reason: string,
): readonly (readonly [NodeGroup, string])[] {
  const faults = groups.flatMap((group) => {
    const fault = faultOf(group, all);
    return fault === undefined ? [] : [[group, fault] as const];
  });
  const others = groups.filter(({ isLeaving, status }) =>
    faults.length > 0 ? isLeaving : status.endsWith('_IN_PROGRESS'),
  );
  return [...faults, ...others.map((group) => [group, reason] as const)];
}

function faultOf({ id, isLeaving }: NodeGroup, all: readonly Node[]): string | undefined {
  if (isLeaving) return undefined;
  const missing = all.filter(
    ({ nodeGroupId, fate, status }) =>
      nodeGroupId === id && fate === 'wanted' && status !== 'READY',
  );
  return missing.length === 0 ? undefined : describeNodes(missing);
}
