import type { NetworkSpec } from '../data-plane/data-plane.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { Network } from './network.entity.js';

/** What the data plane is told of a network with its subnets. */
export function networkSpecOf(network: Network, subnets: readonly Subnet[]): NetworkSpec {
  const { id, adminStateUp, mtu, dnsDomain, networkType, physicalNetwork, segmentationId } =
    network;
  return {
    ...{ id, adminStateUp, mtu, dnsDomain, networkType, physicalNetwork, segmentationId },
    subnets: subnets.map((subnet) => ({
      id: subnet.id,
      cidr: subnet.cidr,
      gatewayIp: subnet.gatewayIp,
      enableDhcp: subnet.enableDhcp,
      dnsNameservers: subnet.dnsNameservers,
      hostRoutes: subnet.hostRoutes,
      ipv6RaMode: subnet.ipv6RaMode,
      ipv6AddressMode: subnet.ipv6AddressMode,
    })),
  };
}
