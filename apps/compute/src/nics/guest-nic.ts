/** What a driver is told of a network card. Pure. */
import { createHash } from 'node:crypto';
import type { GuestNic, NetworkCard } from '../hypervisor/network-card.js';
import type { Nic } from './nic.entity.js';

/** What a network has that does not say otherwise, in bytes. */
const ETHERNET_MTU = 1500;

export function guestNicOf(nic: Nic): GuestNic {
  return {
    id: nic.id,
    position: nic.position,
    macAddress: nic.macAddress ?? '',
    mtu: nic.network?.mtu ?? ETHERNET_MTU,
    tag: nic.tag ?? undefined,
    card: cardOf(nic),
  };
}

/** Of a server in a cloud without networks. Its MAC follows from the server's id. */
export function isolatedNicOf(serverId: string): GuestNic {
  const bytes = createHash('sha256').update(serverId).digest().subarray(0, 3);
  const own = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return {
    id: serverId,
    position: 0,
    mtu: ETHERNET_MTU,
    card: { kind: 'isolated' },
    macAddress: ['fa', '16', '3e', ...own].join(':'),
  };
}

/** Networking API reference, "Port binding extended attributes", `binding:vif_details`. */
function cardOf({ vif, addresses, network }: Nic): NetworkCard {
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
