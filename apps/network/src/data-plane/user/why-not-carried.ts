/**
 * What QEMU's user-mode network cannot do for a port. Its DHCP is always there and tells one IPv4
 * address; the network also needs an address for itself.
 * Public source: QEMU manual, "Network options", `-netdev user`.
 */
import { contains, isLoopback, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import { SubnetNotThereError } from '../data-plane.errors.js';
import type { NetworkSpec, PortSpec } from '../data-plane.js';

/** One of four addresses is the host's: those of a /31 would both be taken, with none for that. */
const LONGEST_PREFIX = 30;
/** QEMU refuses shorter ones. */
const SHORTEST_PREFIX = 4;

/**
 * @returns the reason, as the end of a sentence; undefined if it can carry the port
 * @throws SubnetNotThereError while the network has not been told of the port's subnet
 */
export function whyNotCarried(
  { addresses, dhcpOptions, parent, namespace }: PortSpec,
  { subnets }: NetworkSpec,
): string | undefined {
  if (namespace === 'own')
    return 'it is to have a network namespace of its own, which only OVN makes';
  if (namespace === 'host') return whyNotHere(addresses);
  if (parent !== null) return 'it is a subport, and no other port carries packets for it';
  const [own, ...others] = addresses;
  if (own === undefined) return 'it has no address, and DHCP would give it one';
  if (others.length > 0) return `it has ${addresses.length} addresses, and DHCP gives one`;
  const [option] = dhcpOptions;
  if (option) return `DHCP does not tell the option ${option.name}`;
  const subnet = subnets.find(({ id }) => id === own.subnetId);
  if (subnet === undefined) throw new SubnetNotThereError(own.subnetId);
  const [cidr, address] = [parseCidr(subnet.cidr), parseIp(own.address)];
  if (!cidr || !address || !contains(cidr, address))
    return `${own.address} is not in ${subnet.cidr}`;
  if (cidr.version !== 4) return `${own.address} is not an IPv4 address`;
  if (!subnet.enableDhcp) return `its subnet ${subnet.cidr} has no DHCP, which cannot be left out`;
  if (cidr.prefix > LONGEST_PREFIX)
    return `${subnet.cidr} has no address for the network itself beside ${own.address}`;
  if (cidr.prefix < SHORTEST_PREFIX) return `${subnet.cidr} is larger than a /${SHORTEST_PREFIX}`;
  return undefined;
}

/** A port of a program here needs no card: the machine has these addresses anyway. */
function whyNotHere(addresses: PortSpec['addresses']): string | undefined {
  const other = addresses.find(({ address }) => !isLoopback(address));
  return other && `${other.address} is not one of the machine's own addresses`;
}
