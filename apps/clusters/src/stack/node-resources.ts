import type { Cluster } from '../clusters/cluster.entity.js';
import { networksOf } from '../clusters/cluster-networks.js';
import type { Node } from '../nodes/node.entity.js';
import { API_ADDRESS, API_PUBLIC_ADDRESS } from '../user-data/render-user-data.js';
import { getParam, getResource, type Resources } from './hot.js';
import { externalRoute } from './network-resources.js';
import { hasFloatingIps, resourceNameOf, type StackPlace } from './stack-place.js';

/** A node's port, server and optional floating IP. */
export function nodeResources(cluster: Cluster, node: Node, place: StackPlace): Resources {
  const name = resourceNameOf(node);
  return {
    [`${name}_port`]: portOf(cluster, node, place),
    [`${name}_server`]: serverOf(cluster, node, place),
    ...(hasFloatingIps(cluster) ? { [`${name}_floating_ip`]: floatingIpOf(cluster, name) } : {}),
  };
}

function portOf(cluster: Cluster, node: Node, place: StackPlace): Resources[string] {
  const { subnetId, networkId } = cluster.blueprint;
  const isOfOwnSubnet = networkId === null || subnetId !== null;
  return {
    type: 'OS::Neutron::Port',
    properties: {
      name: node.name,
      network: place.network,
      security_groups: [place.securityGroup],
      ...(isOfOwnSubnet ? { fixed_ips: [{ subnet: place.subnet }] } : {}),
      // Packets of pods leave the node with the pods' own addresses.
      allowed_address_pairs: [{ ip_address: networksOf(cluster.labels).podCidr }],
    },
  };
}

function serverOf(cluster: Cluster, node: Node, place: StackPlace): Resources[string] {
  const { availabilityZone: zone } = node;
  return {
    type: 'OS::Nova::Server',
    properties: {
      name: node.name,
      image: node.imageRef,
      flavor: node.flavorId,
      config_drive: true,
      user_data_format: 'RAW',
      // A recreated server would have a used token.
      user_data_update_policy: 'IGNORE',
      user_data: {
        str_replace: {
          template: getParam('user_data', node.name),
          params: {
            [API_ADDRESS]: place.apiAddress,
            [API_PUBLIC_ADDRESS]: place.apiPublicAddress ?? '',
          },
        },
      },
      networks: [{ port: getResource(`${resourceNameOf(node)}_port`) }],
      scheduler_hints: { group: getResource(node.role === 'master' ? 'masters' : 'workers') },
      ...(zone === null ? {} : { availability_zone: zone }),
      metadata: { 'cumulet:cluster': cluster.id, 'cumulet:role': node.role },
    },
  };
}

function floatingIpOf(cluster: Cluster, name: string): Resources[string] {
  const way = externalRoute(cluster);
  return {
    type: 'OS::Neutron::FloatingIP',
    properties: {
      floating_network: cluster.blueprint.externalNetworkId,
      port_id: getResource(`${name}_port`),
    },
    ...(way.length > 0 ? { depends_on: way } : {}),
  };
}
