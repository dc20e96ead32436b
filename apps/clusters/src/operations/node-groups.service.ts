/** Public source: Container Infrastructure Management API reference, "Node Groups". */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { validated } from '@cumulet/common/http/validation';
import { columnsGiven, documentOf } from '@cumulet/common/resources/classes';
import { equals } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { clusterTemplates } from '../cluster-templates/cluster-template.repository.js';
import { beginWork } from '../work/begin-work.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterBusyError } from '../clusters/cluster.errors.js';
import { checkRoom, ClusterReferences } from './cluster-references.js';
import { clusters } from '../clusters/cluster.repository.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import { skewFault } from '../references/kube-version.js';
import { labelsFor } from './new-cluster.js';
import { pageOf } from '../http/paging.js';
import { checkLabels } from '../labels/known-labels.js';
import { patched, type Change } from '../patches/json-patch.js';
import { ClustersQuotas } from '../quotas/clusters-quotas.js';
import { References } from '../references/references.js';
import {
  NODE_GROUP_CHANGE,
  NodeGroupPatch,
  type ListNodeGroupsQuery,
  type NewNodeGroup,
  type NodeGroup,
  type NodeGroupId,
} from '../node-groups/node-group.resource.js';
import {
  DefaultNodeGroupError,
  MasterNodeGroupError,
  NodeGroupBusyError,
  NodeGroupInvalidInputError,
} from '../node-groups/node-group.errors.js';
import {
  checkCounts,
  checkNodeLabels,
  checkRole,
  maximumOf,
  taintsOf,
} from '../node-groups/node-group-rules.js';
import { nodeGroups, staying } from '../node-groups/node-group.repository.js';
import { statusOf } from '../clusters/cluster.states.js';

const PATCH_INTERNAL = [
  'name',
  'cluster_id',
  'docker_volume_size',
  'labels',
  'flavor_id',
  'image_id',
  'node_addresses',
  'node_count',
  'role',
  'is_default',
  'stack_id',
  'status',
  'status_reason',
  'version',
];

const ADDING = 'Adding a node group to';

export interface GroupOfCluster {
  readonly cluster: Cluster;
  readonly group: NodeGroup;
}

@Injectable()
export class NodeGroupsService {
  constructor(
    private readonly quotas: ClustersQuotas,
    private readonly references: References,
    private readonly clusterReferences: ClusterReferences,
    private readonly trusts: ClusterTrusts,
  ) {}

  async list(
    ctx: RequestContext,
    clusterIdent: string,
    query: ListNodeGroupsQuery,
  ): Promise<{ readonly cluster: Cluster; readonly page: PageOfRows<NodeGroup> }> {
    const cluster = await clusters.named(ctx, clusterIdent);
    const page = await nodeGroups.list(ctx, {
      ...pageOf<NodeGroup>(query),
      scope: [equals('clusterId', cluster.id)],
    });
    return { cluster, page };
  }

  /** @throws ClusterNotFoundError, NodeGroupNotFoundError */
  async get(ctx: RequestContext, clusterIdent: string, ident: string): Promise<GroupOfCluster> {
    const cluster = await clusters.named(ctx, clusterIdent);
    return { cluster, group: await nodeGroups.named(ctx, cluster.id, ident) };
  }

  /**
   * @throws NodeGroupInvalidInputError, MasterNodeGroupError, NodeGroupExistsError, or of quotas
   */
  async create(
    ctx: RequestContext,
    clusterIdent: string,
    given: NewNodeGroup,
  ): Promise<GroupOfCluster> {
    const cluster = await clusters.named(ctx, clusterIdent);
    const row = await this.#newGroup(ctx, cluster, given);
    return this.trusts.forChange(ctx, cluster, (columns) =>
      inTransaction(ctx, async (tx) => {
        // Locks the cluster before the quota, as resizing does.
        await clusters.lock(tx, cluster.id);
        await this.quotas.claim(tx, { Node: row.nodeCount ?? 0 }, cluster.projectId);
        await beginWork(tx, cluster, 'resize', { doing: ADDING, set: columns, groups: [] });
        return { cluster, group: await nodeGroups.insert(tx, row) };
      }),
    );
  }

  /** @throws InvalidPatchError, NodeGroupInvalidInputError, NodeGroupBusyError */
  async update(
    ctx: RequestContext,
    clusterIdent: string,
    ident: string,
    changes: readonly Change[],
  ): Promise<GroupOfCluster> {
    const {
      cluster,
      group: { id },
    } = await this.get(ctx, clusterIdent, ident);
    return inTransaction(ctx, async (tx) => {
      const group = staying(await nodeGroups.lock(tx, id));
      if (group.status === 'CREATE_IN_PROGRESS') throw new NodeGroupBusyError(group.status);
      const change = await changeOf(group, changes);
      return { cluster, group: await nodeGroups.update(tx, { id }, change) };
    });
  }

  /** Repeating a failed deletion continues it. @throws DefaultNodeGroupError */
  async delete(ctx: RequestContext, clusterIdent: string, ident: string): Promise<void> {
    const { cluster, group } = await this.get(ctx, clusterIdent, ident);
    if (group.isDefault) throw new DefaultNodeGroupError();
    await this.trusts.forChange(ctx, cluster, (columns) =>
      inTransaction(ctx, async (tx) => {
        // In this order, since beginning the work sets the status of leaving groups.
        await clusters.lock(tx, cluster.id);
        await nodeGroups.update(tx, { id: group.id }, { isLeaving: true });
        const doing = 'Deleting a node group of';
        await beginWork(tx, cluster, 'resize', { doing, set: columns, groups: [group.id] });
      }),
    );
  }

  async #newGroup(
    ctx: RequestContext,
    cluster: Cluster,
    given: NewNodeGroup,
  ): Promise<Partial<NodeGroup>> {
    const { name, role, nodeLabels } = given;
    const nodeTaints = taintsOf(name, given.nodeTaints);
    checkRole({ name, role }, { nodeLabels, nodeTaints });
    if (role === 'master') throw new MasterNodeGroupError();
    if (cluster.apiAddress === null) throw new ClusterBusyError(ADDING, statusOf(cluster.state));
    const labels = labelsFor(given, cluster.labels);
    checkLabels(labels);
    const template = await clusterTemplates.get(ctx, cluster.clusterTemplateId);
    const imageId = given.imageId ?? template.imageId;
    const image = await this.clusterReferences.nodeImage(
      ctx,
      { coe: template.coe, imageId },
      labels,
    );
    await refuseNewerThanMasters(ctx, cluster, name, image.kubeVersion);
    const flavorId = given.flavorId ?? cluster.flavorId;
    const dockerVolumeSize = given.dockerVolumeSize ?? cluster.dockerVolumeSize;
    checkRoom(await this.references.flavor(ctx, flavorId), dockerVolumeSize);
    checkNodeLabels(name, nodeLabels ?? {});
    const counts = {
      name,
      nodeCount: given.nodeCount,
      minNodeCount: given.minNodeCount,
      maxNodeCount: maximumOf(given.maxNodeCount),
    };
    checkCounts(counts);
    return {
      ...counts,
      id: asId<NodeGroupId>(randomUUID()),
      clusterId: cluster.id,
      projectId: cluster.projectId,
      role,
      flavorId,
      imageId,
      imageRef: image.id,
      version: image.kubeVersion,
      dockerVolumeSize,
      labels,
      nodeLabels,
      nodeTaints,
      status: 'CREATE_IN_PROGRESS',
    };
  }
}

/** @throws InvalidPatchError, NodeGroupInvalidInputError */
async function changeOf(
  group: NodeGroup,
  changes: readonly Change[],
): Promise<Pick<NodeGroup, 'minNodeCount' | 'maxNodeCount' | 'nodeLabels' | 'nodeTaints'>> {
  const { name, nodeCount } = group;
  const before = documentOf(NODE_GROUP_CHANGE, group);
  const internal = Object.fromEntries(PATCH_INTERNAL.map((one) => [one, null]));
  const after = patched({ ...internal, ...before }, changes, {
    internal: PATCH_INTERNAL,
    structured: ['node_labels', 'node_taints'],
    defaults: { min_node_count: 0 },
  });
  const fields = Object.fromEntries(Object.keys(before).map((one) => [one, after[one]]));
  const given = columnsGiven(NODE_GROUP_CHANGE, await validated(NodeGroupPatch, fields));
  const { minNodeCount, nodeLabels } = given;
  const counts = { minNodeCount, maxNodeCount: maximumOf(given.maxNodeCount) };
  checkNodeLabels(name, nodeLabels ?? {});
  const nodeTaints = taintsOf(name, given.nodeTaints);
  checkRole(group, { nodeLabels, nodeTaints });
  checkCounts({ name, nodeCount, ...counts });
  return { ...counts, nodeLabels, nodeTaints };
}

/** @throws NodeGroupInvalidInputError */
async function refuseNewerThanMasters(
  ctx: RequestContext,
  { id }: Cluster,
  name: string,
  version: string | null,
): Promise<void> {
  const all = await nodeGroups.ofCluster(ctx, id);
  const masters = all.find(({ role }) => role === 'master');
  const fault = skewFault(version, masters?.version ?? null);
  if (fault !== undefined) throw new NodeGroupInvalidInputError('image_id', name, fault);
}
