import { canonicalAddress, canonicalRoute } from '../addresses/address-types.js';
import type { MetadataPortSpec, NetworkSpec } from '../data-plane/data-plane.js';
import type { Port } from '../ports/port.entity.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { Network } from './network.entity.js';

/** What the data plane is told of a network with its subnets. */
export function networkSpecOf(
  network: Network,
  subnets: readonly Subnet[],
  metadataPort: Port | undefined,
): NetworkSpec {
  const { id, projectId, adminStateUp, mtu, dnsDomain } = network;
  const { networkType, physicalNetwork, segmentationId } = network;
  return {
    id,
    projectId,
    adminStateUp,
    mtu,
    dnsDomain,
    networkType,
    physicalNetwork,
    segmentationId,
    subnets: subnets.map((subnet) => ({
      id: subnet.id,
      cidr: subnet.cidr,
      gatewayIp: subnet.gatewayIp,
      enableDhcp: subnet.enableDhcp,
      dnsNameservers: subnet.dnsNameservers.map(canonicalAddress),
      hostRoutes: subnet.hostRoutes.map(canonicalRoute),
      ipv6RaMode: subnet.ipv6RaMode,
      ipv6AddressMode: subnet.ipv6AddressMode,
    })),
    metadataPort: metadataPort ? metadataSpec(metadataPort, subnets) : null,
  };
}

function metadataSpec(
  { id, macAddress, fixedIps }: Port,
  subnets: readonly Subnet[],
): MetadataPortSpec {
  const addresses = fixedIps.flatMap(({ subnet_id: subnetId, ip_address: address }) => {
    const subnet = subnets.find((one) => one.id === subnetId);
    return subnet ? [{ subnetId, address, cidr: subnet.cidr }] : [];
  });
  return { portId: id, macAddress, addresses };
}
