/** The reconciler's writes to nodes and groups. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { clusters } from '../clusters/cluster.repository.js';
import type { Node } from './node.entity.js';
import { nodes } from './node.repository.js';

export interface NodeAddresses {
  readonly serverId: string;
  readonly address: string | null;
  readonly publicAddress: string | null;
}

/** Updates only rows that differ, in a fixed order, as all writes of several nodes do. */
const ADDRESSES = `
  UPDATE nodes
     SET server_id = told.server_id, address = coalesce(told.address, nodes.address),
         public_address = told.public_address
    FROM (SELECT nodes.id AS own, told.*
            FROM nodes
            JOIN json_to_recordset($2)
                   AS told (name text, server_id text, address text, public_address text)
              ON told.name = nodes.name
           WHERE nodes.cluster_id = $1
             AND (nodes.server_id, nodes.address, nodes.public_address) IS DISTINCT FROM
                 (told.server_id, coalesce(told.address, nodes.address), told.public_address)
           ORDER BY nodes.id FOR NO KEY UPDATE OF nodes) AS told
   WHERE nodes.id = told.own`;

/** For a server that could not be created. */
const BROKEN = `
  UPDATE nodes SET status = 'FAILED', phase = 'boot', message = $3, heard_at = clock_timestamp()
   WHERE cluster_id = $1 AND id = $2 AND status <> 'READY'`;

/** Parting nodes that have left etcd, and whose pods have moved or run out of time. */
const LEAVE = `
  UPDATE nodes SET fate = 'leaving', is_founder = false
    FROM (SELECT id AS own FROM nodes
           WHERE cluster_id = $1 AND fate = 'parting' AND NOT has_etcd
             AND (is_drained IS NOT FALSE OR drain_until IS NULL
                  OR drain_until <= clock_timestamp())
           ORDER BY id FOR NO KEY UPDATE) AS held
   WHERE id = own`;

/**
 * A member of etcd leaves it first if other members remain; otherwise etcd ends, and the next
 * master must not try to join it. A healthy worker drains first, if it can and has time. Nodes that
 * are going already are unchanged, since their server may be gone.
 */
const GO = `
  UPDATE nodes AS going
     SET fate = CASE WHEN is_member OR is_draining THEN 'parting' ELSE 'leaving' END,
         has_etcd = is_member, is_founder = is_founder AND is_member,
         drain_until = CASE WHEN is_draining
                            THEN clock_timestamp() + $3 * interval '1 second' END
    FROM (SELECT id AS own,
                 has_etcd AND EXISTS (
                   SELECT FROM nodes AS other
                    WHERE other.cluster_id = $1 AND other.has_etcd
                      AND other.id <> ALL($2) AND other.fate IN ('wanted', 'retiring')) AS is_member,
                 $3 > 0 AND status = 'READY' AND is_drained IS FALSE AS is_draining
            FROM nodes
           WHERE cluster_id = $1 AND id = ANY($2) AND fate IN ('wanted', 'retiring')
           ORDER BY id FOR NO KEY UPDATE) AS asked
   WHERE id = own`;

/** Minutes after which a silent node in progress is given up. */
const LOST_MINUTES = 10;

/**
 * Nodes that failed, never reported, or stopped reporting. A node that was ready may recover; the
 * last ready member of etcd stays, unless the cluster was never complete.
 */
const GIVE_UP = `
  SELECT id, role FROM nodes AS lost
   WHERE cluster_id = $1 AND fate = 'wanted'
     AND (status = 'SILENT' OR (status = 'FAILED' AND phase IS DISTINCT FROM 'ready')
          OR (status = 'IN_PROGRESS'
              AND heard_at < clock_timestamp() - interval '${LOST_MINUTES} minutes'))
     AND (NOT has_etcd
          OR EXISTS (SELECT FROM clusters WHERE id = $1 AND coe_version IS NULL)
          OR EXISTS (SELECT FROM nodes AS other
                      WHERE other.cluster_id = $1 AND other.fate = 'wanted'
                        AND other.has_etcd AND other.status = 'READY'))`;

const FORGET_GROUPS = `
  DELETE FROM node_groups
   WHERE cluster_id = $1 AND is_leaving
     AND NOT EXISTS (SELECT FROM nodes WHERE node_group_id = node_groups.id)`;

/** For lost nodes, which cannot drain. */
export const NOT_DRAINED = { drainSeconds: 0 };

class NodeRows {
  /** Locks the cluster first, as changes that write the same nodes do. */
  async setAddresses(
    ctx: RequestContext,
    id: ClusterId,
    nodes: ReadonlyMap<string, NodeAddresses>,
  ): Promise<void> {
    const told = [...nodes].map(([name, { serverId, address, publicAddress }]) => ({
      name,
      server_id: serverId,
      address,
      public_address: publicAddress,
    }));
    await inTransaction(ctx, async (tx) => {
      await clusters.lock(tx, id);
      await preparedRows(tx.manager, ADDRESSES, [id, JSON.stringify(told)]);
    });
  }

  async markFailed(
    { manager }: RequestContext,
    id: ClusterId,
    nodeId: string,
    reason: string,
  ): Promise<void> {
    await preparedRows(manager, BROKEN, [id, nodeId, reason]);
  }

  async releaseParted({ manager }: RequestContext, id: ClusterId): Promise<void> {
    await preparedRows(manager, LEAVE, [id]);
  }

  /** @param drainSeconds for which pods of healthy nodes may move; 0 to skip */
  async go(
    { manager }: RequestContext,
    id: ClusterId,
    ids: readonly string[],
    { drainSeconds }: { readonly drainSeconds: number },
  ): Promise<void> {
    if (ids.length > 0) await preparedRows(manager, GO, [id, ids, drainSeconds]);
  }

  /** Without a load balancer the API's address goes with the master, and so do all nodes. */
  async giveUpFailed(
    ctx: RequestContext,
    { id, masterLbEnabled }: Pick<Cluster, 'id' | 'masterLbEnabled'>,
  ): Promise<void> {
    const failed = await preparedRows<Pick<Node, 'id' | 'role'>>(ctx.manager, GIVE_UP, [id]);
    const isApiLost = !masterLbEnabled && failed.some(({ role }) => role === 'master');
    const lost = isApiLost ? await nodes.wantedOf(ctx, id) : failed;
    const ids = lost.map((node) => node.id);
    await this.go(ctx, id, ids, NOT_DRAINED);
  }

  async forgetGroups({ manager }: RequestContext, id: ClusterId): Promise<void> {
    await preparedRows(manager, FORGET_GROUPS, [id]);
  }
}

export const nodeRows = new NodeRows();
