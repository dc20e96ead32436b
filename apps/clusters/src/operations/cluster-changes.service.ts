/**
 * Changes the node count and the reported health of clusters. Public source: Container
 * Infrastructure Management API reference, "Update information of cluster" and "Resize a cluster".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { amend } from '@cumulet/common/states/transition';
import { snakeCase } from '@cumulet/common/tables/names';
import { Inject, Injectable } from '@nestjs/common';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterBusyError, ClusterPropertiesFixedError } from '../clusters/cluster.errors.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { clusterStates, statusOf } from '../clusters/cluster.states.js';
import { clusters } from '../clusters/cluster.repository.js';
import { mayReplaceMasters, needsAgent } from '../clusters/needs-agent.js';
import type { ClustersConfig } from '../config.js';
import { ResizeOutOfRangeError, UnknownNodeError } from '../node-groups/node-group.errors.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import { DEFAULT_WORKER, nodeGroups, staying } from '../node-groups/node-group.repository.js';
import { nodeRows } from '../nodes/node-rows.js';
import { nodes } from '../nodes/node.repository.js';
import { type Change, changedIn, type Document, patched } from '../patches/json-patch.js';
import { ClustersQuotas } from '../quotas/clusters-quotas.js';
import { beginWork } from '../work/begin-work.js';
import type { ResizeDto } from './cluster.dto.js';
import { refuseZeroWorkers } from './clusters.service.js';
import { checkMasterCount } from './new-cluster.js';

/**
 * Sets a group's node count, and which nodes go if it shrinks. Call this in the transaction that
 * begins the cluster's work.
 * @param leaving IDs or names of servers
 * @param pace of draining workers
 * @throws ResizeOutOfRangeError, UnknownNodeError, EvenMasterCountError, InvalidClusterError,
 * NoAgentError, MovingMasterError
 */
async function resizedGroup(
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
  // Workers go at once; masters only once the remaining ones are ready.
  if (role === 'master') await nodes.retire(tx, ids);
  else await nodeRows.go(tx, cluster.id, ids, pace);
  await nodeGroups.update(tx, { id: group.id }, { nodeCount: count });
}

const INTERNAL = ['api_address', 'node_addresses', 'master_addresses', 'stack_id', 'cluster_id'];
const CHANGEABLE = ['node_count', 'health_status', 'health_status_reason'];
const HEALTH = ['HEALTHY', 'UNHEALTHY', 'UNKNOWN'];

/** Properties that patches may name; all but three are answered as fixed. */
const PROPERTIES = [
  'name',
  'clusterTemplateId',
  'keypair',
  'masterCount',
  'dockerVolumeSize',
  'labels',
  'masterFlavorId',
  'flavorId',
  'createTimeout',
  'discoveryUrl',
  'fixedNetwork',
  'fixedSubnet',
  'floatingIpEnabled',
  'masterLbEnabled',
  'coeVersion',
  'containerVersion',
  'healthStatus',
  'healthStatusReason',
] as const satisfies readonly (keyof Cluster)[];

const UPDATING = 'Updating';

interface Resize {
  readonly event: 'update' | 'resize';
  readonly doing: string;
  /** IDs or names of nodes to remove. */
  readonly leaving?: readonly string[];
  /** Whether to restore the former count on failure. */
  readonly rollback?: boolean;
}

@Injectable()
export class ClusterChangesService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'drainSeconds'>,
    private readonly quotas: ClustersQuotas,
    private readonly trusts: ClusterTrusts,
  ) {}

  /**
   * @param rollback whether to restore the former count on failure
   * @throws InvalidPatchError, ClusterPropertiesFixedError, ClusterBusyError, and the errors of
   * resize()
   */
  async update(
    ctx: RequestContext,
    ident: string,
    changes: readonly Change[],
    rollback: boolean,
  ): Promise<ClusterId> {
    const cluster = await clusters.named(ctx, ident);
    const workers = await nodeGroups.named(ctx, cluster.id, DEFAULT_WORKER);
    const before = documentOf(cluster, workers);
    const after = patched(before, changes, {
      internal: INTERNAL,
      structured: ['health_status_reason'],
      defaults: { node_count: 1, health_status_reason: {}, labels: {} },
    });
    const changed = changedIn(before, after);
    const fixed = changed.filter((name) => !CHANGEABLE.includes(name));
    if (fixed.length > 0) throw new ClusterPropertiesFixedError(fixed);
    if (!clusterStates.events.update.from.includes(cluster.state))
      throw new ClusterBusyError(UPDATING, statusOf(cluster.state));
    if (changed.some((name) => name !== 'node_count')) await this.#setHealth(ctx, cluster, after);
    const isAsked = changes.some(({ path }) => path[0] === 'node_count');
    if (isAsked)
      await this.#resize(ctx, cluster, workers, countOf(after), {
        event: 'update',
        doing: UPDATING,
        rollback,
      });
    return cluster.id;
  }

  /** @throws ResizeOutOfRangeError, UnknownNodeError, EvenMasterCountError, or of quotas */
  async resize(ctx: RequestContext, ident: string, dto: ResizeDto): Promise<ClusterId> {
    const cluster = await clusters.named(ctx, ident);
    const group = await nodeGroups.named(ctx, cluster.id, dto.nodegroup ?? DEFAULT_WORKER);
    await this.#resize(ctx, cluster, group, dto.node_count, {
      event: 'resize',
      doing: 'Resizing',
      leaving: dto.nodes_to_remove ?? [],
    });
    return cluster.id;
  }

  async #resize(
    ctx: RequestContext,
    cluster: Cluster,
    { id }: NodeGroup,
    count: number,
    { event, doing, leaving = [], rollback = false }: Resize,
  ): Promise<void> {
    refuseZeroWorkers(ctx, count);
    await this.trusts.forChange(ctx, cluster, (columns) =>
      inTransaction(ctx, async (tx) => {
        // Locks the cluster first, as the end of its work does, to avoid deadlocks.
        await clusters.lock(tx, cluster.id);
        const group = staying(await nodeGroups.lock(tx, id));
        const more = count - group.nodeCount;
        if (more > 0) await this.quotas.claim(tx, { Node: more }, cluster.projectId);
        const rollbackTo = rollback ? { counts: { [group.id]: group.nodeCount } } : null;
        const set = { ...columns, rollbackTo };
        await beginWork(tx, cluster, event, { doing, set, groups: [id] });
        await resizedGroup(tx, cluster, group, count, leaving, this.config);
      }),
    );
  }

  /** Stores health reported by a client, for clusters that this service cannot reach. */
  async #setHealth(ctx: RequestContext, { id }: Cluster, after: Document): Promise<void> {
    const { health_status: status, health_status_reason: reason } = after;
    if (status !== null && !HEALTH.includes(status as string))
      throw new InvalidInputError(`health_status must be one of ${HEALTH.join(', ')}.`);
    const healthStatusReason = textsOf(reason);
    const reportedHealth = status === null ? null : { status, reason: healthStatusReason };
    await amend(ctx, clusterStates, id, {
      set: { healthStatus: status, healthStatusReason, reportedHealth },
    });
  }
}

function documentOf(cluster: Cluster, workers: NodeGroup): Document {
  return {
    ...Object.fromEntries(PROPERTIES.map((name) => [snakeCase(name), cluster[name]])),
    node_count: workers.nodeCount,
    status: null,
    status_reason: null,
  };
}

function countOf({ node_count: given }: Document): number {
  const count = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : given;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= 1_000)
    return count;
  throw new InvalidInputError(
    `node_count must be a whole number from 0 to 1000, not ${JSON.stringify(given)}.`,
  );
}

function textsOf(reason: unknown): Readonly<Record<string, string>> {
  const isMap = typeof reason === 'object' && reason !== null && !Array.isArray(reason);
  const entries = isMap ? Object.entries(reason) : [];
  if (!isMap || entries.length > 1_000)
    throw new InvalidInputError('health_status_reason must be an object of texts.');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
