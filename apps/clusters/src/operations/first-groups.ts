/** The two node groups that every cluster has. Pure. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterWishes } from './new-cluster.js';
import type { NodeImage } from '../references/references.js';
import type { NodeGroup, NodeGroupId } from '../node-groups/node-group.resource.js';
import { maximumOf } from '../node-groups/node-group-rules.js';
import { DEFAULT_MASTER, DEFAULT_WORKER } from '../node-groups/node-group.table.js';

export interface FirstGroupsOptions {
  readonly wishes: Pick<ClusterWishes, 'nodeCount' | 'masterCount'>;
  readonly template: Pick<ClusterTemplate, 'imageId'>;
  readonly image: NodeImage;
}

export function firstGroups(
  cluster: Cluster,
  { wishes, template, image }: FirstGroupsOptions,
): Partial<NodeGroup>[] {
  const shared = {
    clusterId: cluster.id,
    projectId: cluster.projectId,
    isDefault: true,
    imageId: template.imageId,
    imageRef: image.id,
    version: image.kubeVersion,
    dockerVolumeSize: cluster.dockerVolumeSize,
    labels: cluster.labels,
    status: 'CREATE_IN_PROGRESS',
  };
  const numberOf = (label: string): number | undefined => {
    const value = cluster.labels[label];
    return value === undefined ? undefined : Number(value);
  };
  return [
    {
      ...shared,
      id: asId<NodeGroupId>(randomUUID()),
      name: DEFAULT_MASTER,
      role: 'master',
      nodeCount: wishes.masterCount,
      minNodeCount: 1,
      maxNodeCount: null,
      flavorId: cluster.masterFlavorId,
    },
    {
      ...shared,
      id: asId<NodeGroupId>(randomUUID()),
      name: DEFAULT_WORKER,
      role: 'worker',
      nodeCount: wishes.nodeCount,
      minNodeCount: numberOf('min_node_count') ?? 0,
      maxNodeCount: maximumOf(numberOf('max_node_count') ?? null),
      flavorId: cluster.flavorId,
    },
  ];
}
