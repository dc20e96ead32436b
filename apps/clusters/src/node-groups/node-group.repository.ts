import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { NodeGroup } from './node-group.resource.js';
import {
  LeavingNodeGroupError,
  NodeGroupExistsError,
  NodeGroupNotFoundError,
} from './node-group.errors.js';

export const DEFAULT_MASTER = 'default-master';
export const DEFAULT_WORKER = 'default-worker';

class NodeGroups extends Table<NodeGroup> {
  /** In order of creation. */
  ofCluster(ctx: RequestContext, clusterId: ClusterId): Promise<NodeGroup[]> {
    return this.select(ctx, [equals('clusterId', clusterId)], 'ORDER BY created_at, number');
  }

  /** Finds groups that are being deleted, too. @throws NodeGroupNotFoundError */
  async named(ctx: RequestContext, clusterId: ClusterId, ident: string): Promise<NodeGroup> {
    const by = equals(isUuid(ident) ? 'id' : 'name', ident);
    const [found] = await this.select(ctx, [by, equals('clusterId', clusterId)]);
    if (!found) throw new NodeGroupNotFoundError(ident);
    return found;
  }
}

/** @throws LeavingNodeGroupError */
export function staying(group: NodeGroup): NodeGroup {
  if (group.isLeaving) throw new LeavingNodeGroupError(group.name);
  return group;
}

export const nodeGroups = new NodeGroups(NodeGroup, {
  missing: (key) => new NodeGroupNotFoundError(String(rowOf(key).id ?? '')),
  touched: 'updatedAt',
  refusals: {
    node_groups_name_idx: ({ name = '' }) => new NodeGroupExistsError(name),
  },
});
