/** The networks within a cluster, which must not overlap others of the project. Pure. */
import { isOn } from '../labels/known-labels.js';
import type { Labels } from '../labels/labels.js';

const POD_CIDR = '10.100.0.0/16';
const SERVICE_CIDR = '10.254.0.0/16';
const NODE_CIDR = '10.0.0.0/24';
export const CLUSTER_DOMAIN = 'cluster.local';

export interface ClusterNetworks {
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** For nodes on a network of the cluster's own. */
  readonly nodeCidr: string;
  readonly dnsIp: string;
  /** The address of the service `kubernetes`. */
  readonly kubernetesIp: string;
}

export function networksOf(labels: Labels): ClusterNetworks {
  const podCidr = labels['flannel_network_cidr'] ?? labels['calico_ipv4pool'] ?? POD_CIDR;
  const serviceCidr = labels['service_cluster_ip_range'] ?? SERVICE_CIDR;
  return {
    podCidr,
    serviceCidr,
    nodeCidr: labels['fixed_subnet_cidr'] ?? NODE_CIDR,
    dnsIp: addressIn(serviceCidr, 10),
    kubernetesIp: addressIn(serviceCidr, 1),
  };
}

/**
 * @param isOwn whether the nodes are on a network of the cluster's own
 * @returns which two networks overlap, if any do
 */
export function overlapIn(labels: Labels, isOwn: boolean): string | undefined {
  const { podCidr, serviceCidr, nodeCidr } = networksOf(labels);
  const pods = ['pods', podCidr] as const;
  const services = ['services', serviceCidr] as const;
  const nodes = ['nodes', nodeCidr] as const;
  const pairs: (readonly [Named, Named])[] = [[pods, services]];
  if (isOwn) pairs.push([pods, nodes], [services, nodes]);
  const found = pairs.find(([[, one], [, other]]) => overlap(one, other));
  if (!found) return undefined;
  const [one, other] = found.map(([name, cidr]) => `${name} (${cidr})`);
  return `The networks of ${one ?? ''} and of ${other ?? ''} overlap.`;
}

type Named = readonly [name: string, cidr: string];

export function addonsOf(labels: Labels): Readonly<Record<string, boolean>> {
  return {
    coredns: true,
    metrics_server: isOn(labels, 'metrics_server_enabled', true),
    cloud_provider: isOn(labels, 'cloud_provider_enabled', true),
    network_policy: isOn(labels, 'network_policy_enabled', false),
  };
}

/** The n-th address of a network. */
function addressIn(cidr: string, nth: number): string {
  const address = rangeOf(cidr).first + nth;
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [rangeOf(one), rangeOf(other)];
  return a.first < b.first + b.size && b.first < a.first + a.size;
}

function rangeOf(cidr: string): { readonly first: number; readonly size: number } {
  const [base = '', bits = '32'] = cidr.split('/');
  const whole = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  return { first: Math.floor(whole / size) * size, size };
}
