/** What else is written when the work on a cluster ends: how its node groups are, and what failed. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { ClusterId } from '../clusters/cluster.entity.js';
import { beginWork } from '../clusters/begin-work.js';
import type { ClusterEvent } from '../clusters/cluster.states.js';
import { clusters } from '../clusters/cluster.table.js';
import type { NodeGroup } from '../node-groups/node-group.entity.js';
import { nodeGroups } from '../node-groups/node-group.table.js';
import type { Node } from '../nodes/node.entity.js';
import { nodes } from '../nodes/node.table.js';
import { describeNodes } from './describe.js';

/** A group that was made with this work is complete as made, the others as changed. */
const SUCCEED = `
  UPDATE node_groups
     SET status = replace(status, 'IN_PROGRESS', 'COMPLETE'), status_reason = NULL
   WHERE cluster_id = $1 AND status LIKE '%\\_IN\\_PROGRESS'`;

const FAIL = `
  UPDATE node_groups
     SET status = replace(status, 'IN_PROGRESS', 'FAILED'), status_reason = $3
   WHERE cluster_id = $1 AND id = ANY($2)`;

/** What was waited for last is no reason any more. */
const CLEAR = 'UPDATE clusters SET rollback_to = NULL, state_reason = NULL WHERE id = $1';

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
    await this.#failed(tx, clusterId, reason ?? '');
    if (event === 'fail_update') await this.#rollBack(tx, clusterId);
  }

  async #succeeded({ manager }: RequestContext, id: ClusterId): Promise<void> {
    await preparedRows(manager, SUCCEED, [id]);
    await preparedRows(manager, CLEAR, [id]);
  }

  /** Groups whose nodes are at fault say which; if none is, all say what the cluster says. */
  async #failed(tx: RequestContext, id: ClusterId, reason: string): Promise<void> {
    const groups = await nodeGroups.ofCluster(tx, id);
    const all = await nodes.ofCluster(tx, id);
    const faults = groups
      .map((group) => [group, faultOf(group, all)] as const)
      .filter(([, fault]) => fault !== undefined);
    const named = faults.length > 0 ? faults : groups.map((group) => [group, reason] as const);
    for (const [group, fault] of named)
      await preparedRows(tx.manager, FAIL, [id, [group.id], fault]);
    await preparedRows(tx.manager, SUCCEED, [id]);
  }

  /** A change that was made with rollback is taken back, by the same work. */
  async #rollBack(tx: RequestContext, id: ClusterId): Promise<void> {
    const cluster = await clusters.get(tx, id);
    if (!cluster.rollbackTo) return;
    const { counts } = cluster.rollbackTo;
    for (const [groupId, nodeCount] of Object.entries(counts))
      await nodeGroups.update(tx, { id: groupId as NodeGroup['id'] }, { nodeCount });
    await beginWork(tx, cluster, 'roll_back');
  }
}

function faultOf({ id }: NodeGroup, all: readonly Node[]): string | undefined {
  const missing = all.filter(
    ({ nodeGroupId, fate, status }) =>
      nodeGroupId === id && fate === 'wanted' && status !== 'READY',
  );
  return missing.length === 0 ? undefined : describeNodes(missing);
}
