import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { ClusterId } from '../clusters/cluster.resource.js';
import type { NodeGroupId } from '../node-groups/node-group.resource.js';
import { Node, type NodeId } from './node.entity.js';
import { UnknownNodeError } from './node.errors.js';

const ORDER = 'ORDER BY created_at, name';

class Nodes extends Table<Node> {
  /** Oldest first. */
  ofCluster(ctx: RequestContext, clusterId: ClusterId): Promise<Node[]> {
    return this.select(ctx, [equals('clusterId', clusterId)], ORDER);
  }

  wantedOf(ctx: RequestContext, clusterId: ClusterId): Promise<Node[]> {
    return this.select(ctx, [equals('clusterId', clusterId), equals('fate', 'wanted')], ORDER);
  }

  /** Includes nodes that are going, since clients may name them. */
  ofGroup(ctx: RequestContext, nodeGroupId: NodeGroupId): Promise<Node[]> {
    return this.select(ctx, [equals('nodeGroupId', nodeGroupId)], ORDER);
  }

  /** They go once their replacements are ready, or at once without any. */
  async retire({ manager }: RequestContext, ids: readonly NodeId[]): Promise<void> {
    if (ids.length === 0) return;
    await preparedRows(
      manager,
      `UPDATE nodes SET fate = 'retiring'
         FROM (SELECT id AS own FROM nodes WHERE id = ANY($1) AND fate = 'wanted'
                ORDER BY id FOR NO KEY UPDATE) AS held
        WHERE id = own`,
      [ids],
    );
  }

  /** Deletes nodes whose servers are gone. */
  async forget({ manager }: RequestContext, ids: readonly NodeId[]): Promise<void> {
    if (ids.length === 0) return;
    await preparedRows(manager, 'DELETE FROM nodes WHERE id = ANY($1)', [ids]);
  }
}

export const nodes = new Nodes(Node, {
  missing: (key) => new UnknownNodeError(String(rowOf(key).id ?? '')),
});
