/** The networks within a cluster, which no other network of the project may have. Pure. */
import { isOn } from '../labels/known-labels.js';
import type { Labels } from '../labels/labels.js';

const POD_CIDR = '10.100.0.0/16';
const SERVICE_CIDR = '10.254.0.0/16';
/** Of the nodes, where a cluster has a network of its own. */
export const NODE_CIDR = '10.0.0.0/24';
export const CLUSTER_DOMAIN = 'cluster.local';

export interface ClusterNetworks {
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly dnsIp: string;
  /** Of the service `kubernetes`. */
  readonly kubernetesIp: string;
}

export function networksOf(labels: Labels): ClusterNetworks {
  const podCidr = labels['flannel_network_cidr'] ?? labels['calico_ipv4pool'] ?? POD_CIDR;
  const serviceCidr = labels['service_cluster_ip_range'] ?? SERVICE_CIDR;
  return {
    podCidr,
    serviceCidr,
    dnsIp: addressIn(serviceCidr, 10),
    kubernetesIp: addressIn(serviceCidr, 1),
  };
}

/** Which add-ons a cluster has. */
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
  const [base = '', bits = '32'] = cidr.split('/');
  const whole = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  const address = Math.floor(whole / size) * size + nth;
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
