/** What a new cluster is, from what its client says and its template. Pure. */
import type { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import type { Labels } from '../labels/labels.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { NewCluster } from '../clusters/cluster.resource.js';
import { EvenMasterCountError, InvalidClusterError } from '../clusters/cluster.errors.js';

/** What the request and the template decide, without asking anybody. */
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

/** @throws EvenMasterCountError, InvalidClusterError for several without a load balancer */
export function checkMasterCount(count: number, hasLoadBalancer: boolean): void {
  if (count % 2 === 0) throw new EvenMasterCountError(count);
  if (count > 1 && !hasLoadBalancer)
    throw new InvalidClusterError('master_count must be 1 when master_lb_enabled is False');
}

/** Labels of one's own, on top of the parent's where that is asked for, or the parent's. */
export function labelsFor(
  { labels: own, mergeLabels }: Pick<NewCluster, 'labels' | 'mergeLabels'>,
  parent: Labels,
): Labels {
  if (Object.keys(own).length === 0) return parent;
  return mergeLabels ? { ...parent, ...own } : own;
}

/** @param wishes whose flavors have been found */
export function columnsOf(wishes: ClusterWishes): Partial<Cluster> {
  const { flavor, masterFlavor, nodeCount: _workers, masterCount: _masters, ...columns } = wishes;
  return { ...columns, flavorId: flavor ?? '', masterFlavorId: masterFlavor ?? '' };
}
