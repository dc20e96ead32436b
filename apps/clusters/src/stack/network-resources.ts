import type { Cluster } from '../clusters/cluster.entity.js';
import { networksOf } from '../clusters/cluster-networks.js';
import { getResource, type Resources } from './hot.js';
import { MASTER_API_PORT } from './stack-place.js';

/** Kubernetes' NodePort range. */
const NODE_PORTS = { port_range_min: 30_000, port_range_max: 32_767 };

/** The cluster's own network, unless it was given one, and the nodes' security group. */
export function networkResources(cluster: Cluster): Resources {
  const { blueprint, name } = cluster;
  return {
    ...(blueprint.networkId === null ? ownNetwork(cluster) : {}),
    security_group: {
      type: 'OS::Neutron::SecurityGroup',
      properties: {
        name: `${name}-nodes`,
        description: `Nodes of the Kubernetes cluster ${name}`,
        rules: [
          { remote_mode: 'remote_group_id' },
          // Packets of pods do not have an address of the group's ports.
          { remote_ip_prefix: networksOf(cluster.labels).podCidr },
          { protocol: 'icmp' },
          { protocol: 'tcp', port_range_min: 22, port_range_max: 22 },
          {
            protocol: 'tcp',
            port_range_min: MASTER_API_PORT,
            port_range_max: MASTER_API_PORT,
          },
          { protocol: 'tcp', ...NODE_PORTS },
          { protocol: 'udp', ...NODE_PORTS },
        ],
      },
    },
  };
}

function ownNetwork({ blueprint, labels, name }: Cluster): Resources {
  const { externalNetworkId, dnsNameservers } = blueprint;
  return {
    network: { type: 'OS::Neutron::Net', properties: { name } },
    subnet: {
      type: 'OS::Neutron::Subnet',
      properties: {
        name,
        network: getResource('network'),
        cidr: networksOf(labels).nodeCidr,
        ...(dnsNameservers.length > 0 ? { dns_nameservers: dnsNameservers } : {}),
      },
    },
    ...(externalNetworkId === null
      ? {}
      : {
          router: {
            type: 'OS::Neutron::Router',
            properties: { name, external_gateway_info: { network: externalNetworkId } },
          },
          router_interface: {
            type: 'OS::Neutron::RouterInterface',
            properties: { router: getResource('router'), subnet: getResource('subnet') },
          },
        }),
  };
}

/** Dependencies of everything that reaches outside or is reached from there. */
export function externalRoute({ blueprint }: Cluster): readonly string[] {
  const isOwn = blueprint.networkId === null && blueprint.externalNetworkId !== null;
  return isOwn ? ['router_interface'] : [];
}
