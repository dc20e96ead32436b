/** References between the parts of a cluster's stack. Pure. */
import type { Cluster } from '../clusters/cluster.entity.js';
import { isOn } from '../labels/known-labels.js';
import type { Node } from '../nodes/node.entity.js';
import { getAttr, getResource } from './hot.js';

/** The port of each master's API; that of the load balancer may differ. */
export const MASTER_API_PORT = 6_443;

/** References that nodes need. */
export interface StackPlace {
  readonly network: unknown;
  readonly subnet: unknown;
  readonly apiAddress: unknown;
  readonly apiPublicAddress: unknown;
  readonly securityGroup: unknown;
}

export function placeOf(cluster: Cluster, masters: readonly Node[]): StackPlace {
  const { networkId, subnetId } = cluster.blueprint;
  const subnet = subnetId ?? getResource('subnet');
  const [first] = masters;
  const port = first ? `${resourceNameOf(first)}_port` : 'network';
  return {
    network: networkId ?? getResource('network'),
    subnet,
    securityGroup: getResource('security_group'),
    apiAddress: cluster.masterLbEnabled
      ? getAttr('api_balancer', 'vip_address')
      : getAttr(port, 'fixed_ips', 0, 'ip_address'),
    apiPublicAddress: publicApiAddress(cluster, first),
  };
}

function publicApiAddress(cluster: Cluster, first: Node | undefined): unknown {
  if (cluster.masterLbEnabled)
    return hasPublicApi(cluster) ? getAttr('api_floating_ip', 'floating_ip_address') : undefined;
  return first && hasFloatingIps(cluster)
    ? getAttr(`${resourceNameOf(first)}_floating_ip`, 'floating_ip_address')
    : undefined;
}

/** The name of a node's resources, unique within the cluster for ever. */
export function resourceNameOf({ id }: Pick<Node, 'id'>): string {
  return `node_${id.replaceAll('-', '')}`;
}

export function hasFloatingIps({ floatingIpEnabled, blueprint }: Cluster): boolean {
  return floatingIpEnabled && blueprint.externalNetworkId !== null;
}

/** Whether the API's load balancer has a floating IP. */
export function hasPublicApi(cluster: Cluster): boolean {
  const { blueprint, labels, floatingIpEnabled } = cluster;
  return (
    blueprint.externalNetworkId !== null &&
    isOn(labels, 'master_lb_floating_ip_enabled', floatingIpEnabled)
  );
}
