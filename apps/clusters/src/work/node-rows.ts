/** What a cluster's reconciler writes of nodes and groups, beside the cluster's own row. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { ClusterId } from '../clusters/cluster.entity.js';
import type { NodeAddresses } from '../engine/cluster-engine.js';

const ADDRESSES = `
  UPDATE nodes
     SET server_id = told.server_id, address = coalesce(told.address, nodes.address),
         public_address = told.public_address
    FROM json_to_recordset($2) AS told (name text, server_id text, address text, public_address text)
   WHERE cluster_id = $1 AND nodes.name = told.name`;

/** Whose server could not be made. */
const BROKEN = `
  UPDATE nodes SET status = 'FAILED', phase = 'boot', message = $3, heard_at = clock_timestamp()
   WHERE cluster_id = $1 AND id = $2 AND status <> 'READY'`;

/** Masters that etcd knows no more, and workers, whose time has come. */
const LEAVE = `
  UPDATE nodes SET fate = 'leaving' WHERE cluster_id = $1 AND fate = 'parting' AND NOT has_etcd`;

/** A master leaves etcd first, if others are there to remove it. */
const GO = `
  UPDATE nodes AS going
     SET fate = CASE WHEN going.has_etcd AND EXISTS (
                       SELECT FROM nodes AS other
                        WHERE other.cluster_id = going.cluster_id AND other.has_etcd
                          AND other.id <> ALL($2) AND other.fate IN ('wanted', 'retiring'))
                     THEN 'parting' ELSE 'leaving' END
   WHERE cluster_id = $1 AND id = ANY($2)`;

/** What failed, or never said anything, makes room for another. */
const GIVE_UP = `
  SELECT id FROM nodes
   WHERE cluster_id = $1 AND fate = 'wanted' AND status IN ('FAILED', 'SILENT')`;

const FORGET_GROUPS = `
  DELETE FROM node_groups
   WHERE cluster_id = $1 AND is_leaving
     AND NOT EXISTS (SELECT FROM nodes WHERE node_group_id = node_groups.id)`;

class NodeRows {
  async tellAddresses(
    { manager }: RequestContext,
    id: ClusterId,
    nodes: ReadonlyMap<string, NodeAddresses>,
  ): Promise<void> {
    const told = [...nodes].map(([name, { serverId, address, publicAddress }]) => ({
      name,
      server_id: serverId,
      address,
      public_address: publicAddress,
    }));
    await preparedRows(manager, ADDRESSES, [id, JSON.stringify(told)]);
  }

  async tellBroken(
    { manager }: RequestContext,
    id: ClusterId,
    nodeId: string,
    reason: string,
  ): Promise<void> {
    await preparedRows(manager, BROKEN, [id, nodeId, reason]);
  }

  async leaveParted({ manager }: RequestContext, id: ClusterId): Promise<void> {
    await preparedRows(manager, LEAVE, [id]);
  }

  async go({ manager }: RequestContext, id: ClusterId, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await preparedRows(manager, GO, [id, ids]);
  }

  async giveUpFailed(ctx: RequestContext, id: ClusterId): Promise<void> {
    const failed = await preparedRows<{ id: string }>(ctx.manager, GIVE_UP, [id]);
    await this.go(
      ctx,
      id,
      failed.map((node) => node.id),
    );
  }

  async forgetGroups({ manager }: RequestContext, id: ClusterId): Promise<void> {
    await preparedRows(manager, FORGET_GROUPS, [id]);
  }
}

export const nodeRows = new NodeRows();
