import type { RequestContext } from '@cumulet/common/context/request-context';
import { checkMasterCount } from '../clusters/new-cluster.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { needsAgent } from '../clusters/needs-agent.js';
import { nodes } from '../nodes/node.table.js';
import type { NodeGroup } from './node-group.entity.js';
import { ResizeOutOfRangeError, UnknownNodeError } from './node-group.errors.js';
import { nodeGroups } from './node-group.table.js';

/**
 * How many nodes a group is to have, and which go if it gets smaller; in the transaction in which the
 * cluster's work begins.
 * @param leaving ids or names of servers
 * @throws ResizeOutOfRangeError, UnknownNodeError, EvenMasterCountError, InvalidClusterError,
 * NoAgentError
 */
export async function resizedGroup(
  tx: RequestContext,
  cluster: Cluster,
  group: NodeGroup,
  count: number,
  leaving: readonly string[],
): Promise<void> {
  const { name, role, minNodeCount: min, maxNodeCount: max } = group;
  if (role === 'master') checkMasterCount(count, cluster.masterLbEnabled);
  if (role === 'master' && count < group.nodeCount) needsAgent(cluster, 'Having fewer masters');
  if (count < min || (max !== null && count > max)) throw new ResizeOutOfRangeError(name, min, max);
  const own = await nodes.ofGroup(tx, group.id);
  const ids = [...new Set(leaving)].map((ident) => {
    const found = own.find(
      (node) => node.serverId === ident || node.name === ident || node.id === ident,
    );
    if (!found) throw new UnknownNodeError(ident, name);
    return found.id;
  });
  await nodes.retire(tx, ids);
  await nodeGroups.update(tx, { id: group.id }, { nodeCount: count });
}
