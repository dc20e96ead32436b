/**
 * Renders a cluster's rows as a HOT template. Pure. What defines a node never changes, so an update
 * creates and deletes nodes, and leaves others alone. Public source: Heat template guide.
 */
import { createHash } from 'node:crypto';
import { plainWord } from '@cumulet/common/languages/shell';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { Node, NodeId } from '../nodes/node.entity.js';
import { substituted } from '../languages/cloud-config.js';
import { NODE_TOKEN } from '../user-data/render-user-data.js';
import { balancerResources } from './balancer-resources.js';
import { networkResources } from './network-resources.js';
import { nodeResources } from './node-resources.js';
import { hasFloatingIps, placeOf, resourceNameOf } from './stack-place.js';
import { getAttr, getResource, type Hot, type Resources } from './hot.js';

export interface StackSpec {
  readonly template: Hot;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A digest of both, to decide whether to update the stack. */
  readonly digest: string;
}

/**
 * @param nodes all that should have a server
 * @param tokenOf the token of a node, which is in no row
 */
export function stackSpecOf(
  cluster: Cluster,
  nodes: readonly Node[],
  tokenOf: (id: NodeId) => string,
): StackSpec {
  const masters = nodes.filter(({ role }) => role === 'master');
  const place = placeOf(cluster, masters);
  const template: Hot = {
    heat_template_version: '2021-04-16',
    description: `Kubernetes cluster ${cluster.name}`,
    parameters: { user_data: { type: 'json', hidden: true, default: {} } },
    resources: {
      ...networkResources(cluster),
      ...(cluster.masterLbEnabled ? balancerResources(cluster, masters) : {}),
      ...serverGroups(cluster),
      ...Object.assign({}, ...nodes.map((node) => nodeResources(cluster, node, place))),
    } as Resources,
    outputs: {
      api_address: { value: place.apiAddress },
      api_public_address: { value: place.apiPublicAddress ?? '' },
      network_id: { value: place.network },
      subnet_id: { value: place.subnet },
      nodes: {
        value: Object.fromEntries(nodes.map((node) => [node.name, outputOf(cluster, node)])),
      },
    },
  };
  const parameters = {
    user_data: Object.fromEntries(
      nodes.map(({ id, name, userData }) => [
        name,
        substituted(userData, NODE_TOKEN, plainWord(tokenOf(id))),
      ]),
    ),
  };
  return { template, parameters, digest: digestOf({ template, parameters }) };
}

/** Masters, and workers, are spread over hosts where possible, unless a label says otherwise. */
function serverGroups({ labels, name }: Cluster): Resources {
  const policies = [labels['nodes_affinity_policy'] ?? 'soft-anti-affinity'];
  const group = (role: string) => ({
    type: 'OS::Nova::ServerGroup',
    properties: { name: `${name}-${role}s`, policies },
  });
  return { masters: group('master'), workers: group('worker') };
}

function outputOf(cluster: Cluster, node: Node): object {
  const name = resourceNameOf(node);
  return {
    server_id: getResource(`${name}_server`),
    address: getAttr(`${name}_port`, 'fixed_ips', 0, 'ip_address'),
    ...(hasFloatingIps(cluster)
      ? { public_address: getAttr(`${name}_floating_ip`, 'floating_ip_address') }
      : {}),
  };
}

function digestOf(spec: object): string {
  return createHash('sha256').update(JSON.stringify(spec)).digest('hex');
}
