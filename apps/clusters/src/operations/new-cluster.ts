/** Merges a request with its template, for the rows of a new cluster. Pure, but for random IDs. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import type { Labels } from '../labels/labels.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { NewCluster } from '../clusters/cluster.resource.js';
import { EvenMasterCountError, InvalidClusterError } from '../clusters/cluster.errors.js';
import { maximumOf } from '../node-groups/node-group-rules.js';
import type { NodeGroup, NodeGroupId } from '../node-groups/node-group.resource.js';
import { DEFAULT_MASTER, DEFAULT_WORKER } from '../node-groups/node-group.repository.js';
import type { NodeImage } from '../references/references.js';

/** Values from the request and the template, before references are resolved. */
export type ClusterWishes = Pick<
  Cluster,
  | 'name'
  | 'keypair'
  | 'dockerVolumeSize'
  | 'labels'
  | 'fixedNetwork'
  | 'fixedSubnet'
  | 'floatingIpEnabled'
  | 'masterLbEnabled'
  | 'createTimeout'
  | 'discoveryUrl'
> & {
  readonly flavor: string | null;
  readonly masterFlavor: string | null;
  readonly nodeCount: number;
  readonly masterCount: number;
};

/** @throws EvenMasterCountError, InvalidClusterError */
export function wishesOf(
  given: NewCluster,
  template: ClusterTemplate,
  name: string,
): ClusterWishes {
  const { nodeCount, masterCount, createTimeout, discoveryUrl } = given;
  const masterLbEnabled = given.masterLbEnabled ?? template.masterLbEnabled;
  checkMasterCount(masterCount, masterLbEnabled);
  return {
    name: given.name ?? name,
    keypair: given.keypair ?? template.keypairId,
    dockerVolumeSize: given.dockerVolumeSize ?? template.dockerVolumeSize,
    labels: labelsFor(given, template.labels),
    fixedNetwork: given.fixedNetwork ?? template.fixedNetwork,
    fixedSubnet: given.fixedSubnet ?? template.fixedSubnet,
    floatingIpEnabled: given.floatingIpEnabled ?? template.floatingIpEnabled,
    masterLbEnabled,
    createTimeout,
    discoveryUrl,
    flavor: given.flavorId ?? template.flavorId,
    masterFlavor: given.masterFlavorId ?? template.masterFlavorId ?? template.flavorId,
    nodeCount,
    masterCount,
  };
}

/** @throws EvenMasterCountError, InvalidClusterError for several masters without a load balancer */
export function checkMasterCount(count: number, hasLoadBalancer: boolean): void {
  if (count % 2 === 0) throw new EvenMasterCountError(count);
  if (count > 1 && !hasLoadBalancer)
    throw new InvalidClusterError('master_count must be 1 when master_lb_enabled is False');
}

/** Own labels replace the parent's, or are merged on top of them. */
export function labelsFor(
  { labels: own, mergeLabels }: Pick<NewCluster, 'labels' | 'mergeLabels'>,
  parent: Labels,
): Labels {
  if (Object.keys(own).length === 0) return parent;
  return mergeLabels ? { ...parent, ...own } : own;
}

/** @param wishes with resolved flavors */
export function columnsOf(wishes: ClusterWishes): Partial<Cluster> {
  const { flavor, masterFlavor, nodeCount: _workers, masterCount: _masters, ...columns } = wishes;
  return { ...columns, flavorId: flavor ?? '', masterFlavorId: masterFlavor ?? '' };
}

interface FirstGroupsOptions {
  readonly wishes: Pick<ClusterWishes, 'nodeCount' | 'masterCount'>;
  readonly template: Pick<ClusterTemplate, 'imageId'>;
  readonly image: NodeImage;
}

/** The two node groups that every cluster has. */
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
