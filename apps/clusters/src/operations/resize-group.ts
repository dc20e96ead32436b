import type { RequestContext } from '@cumulet/common/context/request-context';
import { checkMasterCount } from './new-cluster.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { mayReplaceMasters, needsAgent } from '../clusters/needs-agent.js';
import type { ClustersConfig } from '../config.js';
import { nodes } from '../nodes/node.table.js';
import { nodeRows } from '../nodes/node-rows.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import { ResizeOutOfRangeError, UnknownNodeError } from '../node-groups/node-group.errors.js';
import { nodeGroups } from '../node-groups/node-group.table.js';

/**
 * How many nodes a group is to have, and which go if it gets smaller; in the transaction in which the
 * cluster's work begins.
 * @param leaving ids or names of servers
 * @param pace of workers that go
 * @throws ResizeOutOfRangeError, UnknownNodeError, EvenMasterCountError, InvalidClusterError,
 * NoAgentError, MovingMasterError
 */
export async function resizedGroup(
  tx: RequestContext,
  cluster: Cluster,
  group: NodeGroup,
  count: number,
  leaving: readonly string[],
  pace: Pick<ClustersConfig, 'drainSeconds'>,
): Promise<void> {
  const { name, role, minNodeCount: min, maxNodeCount: max } = group;
  if (role === 'master') checkMasterCount(count, cluster.masterLbEnabled);
  if (role === 'master' && count < group.nodeCount) needsAgent(cluster, 'Having fewer masters');
  if (role === 'master' && leaving.length > 0) mayReplaceMasters(cluster);
  if (count < min || (max !== null && count > max)) throw new ResizeOutOfRangeError(name, min, max);
  const own = await nodes.ofGroup(tx, group.id);
  const ids = [...new Set(leaving)].map((ident) => {
    const found = own.find(
      (node) => node.serverId === ident || node.name === ident || node.id === ident,
    );
    if (!found) throw new UnknownNodeError(ident, name);
    return found.id;
  });
  // A worker goes at once, whatever the others are like; masters only once those that stay are ready.
  if (role === 'master') await nodes.retire(tx, ids);
  else await nodeRows.go(tx, cluster.id, ids, pace);
  await nodeGroups.update(tx, { id: group.id }, { nodeCount: count });
}
