/**
 * `network_data.json` of config drive and metadata service, by which cloud-init configures NICs.
 * Pure. Public source: Nova user guide, "Metadata: OpenStack format"; nova-specs,
 * "metadata-service-network-info".
 */
import { createHash } from 'node:crypto';
import type { GuestNic, NicLink } from '../hypervisor/ports/guest-nic.js';
import type { Nic, NicNetwork, NicSubnet } from './nic.entity.js';

type Json = Readonly<Record<string, unknown>>;

/** @returns undefined for a server without NICs */
export function networkDataOf(nics: readonly Nic[]): Json | undefined {
  const known = nics.filter((nic): nic is KnownNic => nic.network !== null && nic.portId !== null);
  if (known.length === 0) return undefined;
  const networks = known.flatMap(networksOf).map((network, at) => ({
    id: `network${at}`,
    ...network,
  }));
  const servers = known.flatMap(({ network }) => network.subnets.flatMap(dnsOf));
  const services = servers.filter(
    ({ address }, at) => servers.findIndex((one) => one.address === address) === at,
  );
  return { links: known.map(linkOf), networks, services };
}

type KnownNic = Nic & { readonly network: NicNetwork; readonly portId: string };

function linkId({ portId }: KnownNic): string {
  return `tap${portId.slice(0, 11)}`;
}

function linkOf(nic: KnownNic): Json {
  return {
    id: linkId(nic),
    vif_id: nic.portId,
    type: nic.vif?.type === 'ovs' ? 'ovs' : 'phy',
    mtu: nic.network.mtu,
    ethernet_mac_address: nic.macAddress,
  };
}

function networksOf(nic: KnownNic): Json[] {
  return nic.addresses.flatMap(({ subnetId, address }) => {
    const subnet = nic.network.subnets.find(({ id }) => id === subnetId);
    if (!subnet) return [];
    const common = { link: linkId(nic), network_id: nic.networkId };
    const type = `ipv${subnet.ipVersion}`;
    if (subnet.ipVersion === 4 && subnet.hasDhcp) return [{ type: `${type}_dhcp`, ...common }];
    if (subnet.ipVersion === 6 && subnet.ipv6AddressMode !== null)
      return [{ type: `${type}_${subnet.ipv6AddressMode}`, ...common, ...routed(subnet, address) }];
    return [{ type, ...common, ...routed(subnet, address) }];
  });
}

/** For guests without DHCP. */
function routed(subnet: NicSubnet, address: string): Json {
  const [, prefix = ''] = subnet.cidr.split('/');
  const everything = subnet.ipVersion === 4 ? ['0.0.0.0', '0.0.0.0'] : ['::', '::'];
  const gateway = subnet.gatewayIp === null ? [] : [routeOf(everything, subnet.gatewayIp)];
  const others = subnet.hostRoutes.map(({ destination, nexthop }) => {
    const [network = '', length = ''] = destination.split('/');
    return routeOf([network, netmaskOf(subnet.ipVersion, Number(length))], nexthop);
  });
  return {
    ip_address: address,
    netmask: netmaskOf(subnet.ipVersion, Number(prefix)),
    routes: [...gateway, ...others],
    services: dnsOf(subnet),
  };
}

function routeOf([network, netmask]: readonly string[], gateway: string): Json {
  return { network, netmask, gateway };
}

function dnsOf({ dnsNameservers }: NicSubnet): { type: 'dns'; address: string }[] {
  return dnsNameservers.map((address) => ({ type: 'dns', address }));
}

/** `255.255.255.0`, `ffff:ffff:ffff:ffff::` */
function netmaskOf(version: 4 | 6, prefix: number): string {
  const [parts, bits, base] = version === 4 ? [4, 8, 10] : [8, 16, 16];
  const values = Array.from({ length: parts }, (_, at) => {
    const ones = Math.min(Math.max(prefix - at * bits, 0), bits);
    return (2 ** bits - 2 ** (bits - ones)).toString(base);
  });
  if (version === 4) return values.join('.');
  const used = values.filter((value) => value !== '0');
  return used.length === parts ? used.join(':') : `${used.join(':')}::`;
}

/** The MTU of networks by default, in bytes. */
const ETHERNET_MTU = 1500;

/** The NIC in a driver's form. */
export function guestNicOf(nic: Nic): GuestNic {
  return {
    id: nic.id,
    position: nic.position,
    macAddress: nic.macAddress ?? '',
    mtu: nic.network?.mtu ?? ETHERNET_MTU,
    tag: nic.tag ?? undefined,
    link: nicLinkOf(nic),
  };
}

/** For clouds without networks. The MAC follows from the server's ID. */
export function isolatedNicOf(serverId: string): GuestNic {
  const bytes = createHash('sha256').update(serverId).digest().subarray(0, 3);
  const own = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return {
    id: serverId,
    position: 0,
    mtu: ETHERNET_MTU,
    link: { kind: 'isolated' },
    macAddress: ['fa', '16', '3e', ...own].join(':'),
  };
}

/** Networking API reference, "Port binding extended attributes", `binding:vif_details`. */
function nicLinkOf({ vif, addresses, network }: Nic): NicLink {
  if (vif?.type === 'user') {
    const [own] = addresses;
    const subnet = network?.subnets.find(({ id }) => id === own?.subnetId);
    if (!own || !subnet) return { kind: 'unplugged' };
    const { cidr, gatewayIp } = subnet;
    return { kind: 'user', address: own.address, cidr, gatewayIp, forwards: [] };
  }
  const { tap_name: device, network_namespace: namespace } = vif?.details ?? {};
  if (typeof device !== 'string' || typeof namespace !== 'string') return { kind: 'unplugged' };
  return { kind: 'tap', device, namespace };
}
