/** What a new cluster is, from what its client says and its template. Pure. */
import type { ClusterTemplate } from '../cluster-templates/cluster-template.entity.js';
import { labelsOf, type Labels } from '../labels/labels.js';
import type { ClusterDto } from './cluster.dto.js';
import type { Cluster } from './cluster.entity.js';
import { EvenMasterCountError, InvalidClusterError } from './cluster.errors.js';

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

const DEFAULT_TIMEOUT = 60;

/** @throws EvenMasterCountError, InvalidClusterError */
export function wishesOf(dto: ClusterDto, template: ClusterTemplate, name: string): ClusterWishes {
  const masterCount = dto.master_count ?? 1;
  const masterLbEnabled = dto.master_lb_enabled ?? template.masterLbEnabled;
  checkMasterCount(masterCount, masterLbEnabled);
  return {
    name: dto.name ?? name,
    keypair: dto.keypair ?? template.keypairId,
    dockerVolumeSize: dto.docker_volume_size ?? template.dockerVolumeSize,
    labels: labelsFor(dto, template.labels),
    fixedNetwork: dto.fixed_network ?? template.fixedNetwork,
    fixedSubnet: dto.fixed_subnet ?? template.fixedSubnet,
    floatingIpEnabled: dto.floating_ip_enabled ?? template.floatingIpEnabled,
    masterLbEnabled,
    createTimeout: dto.create_timeout ?? DEFAULT_TIMEOUT,
    discoveryUrl: dto.discovery_url ?? null,
    flavor: dto.flavor_id ?? template.flavorId,
    masterFlavor: dto.master_flavor_id ?? template.masterFlavorId ?? template.flavorId,
    nodeCount: dto.node_count ?? 1,
    masterCount,
  };
}

/** @throws EvenMasterCountError, InvalidClusterError for several without a load balancer */
export function checkMasterCount(count: number, hasLoadBalancer: boolean): void {
  if (count % 2 === 0) throw new EvenMasterCountError(count);
  if (count > 1 && !hasLoadBalancer)
    throw new InvalidClusterError('master_count must be 1 when master_lb_enabled is False');
}

/** Labels of one's own, on top of the template's where that is asked for. */
function labelsFor({ labels, merge_labels: isMerged }: ClusterDto, ofTemplate: Labels): Labels {
  const own = labelsOf(labels);
  if (Object.keys(own).length === 0) return ofTemplate;
  return isMerged === true ? { ...ofTemplate, ...own } : own;
}

/** @param wishes whose flavors have been found */
export function columnsOf(wishes: ClusterWishes): Partial<Cluster> {
  const { flavor, masterFlavor, nodeCount: _workers, masterCount: _masters, ...columns } = wishes;
  return { ...columns, flavorId: flavor ?? '', masterFlavorId: masterFlavor ?? '' };
}
