/**
 * Distinguishes public internet addresses from those of this machine, its neighbours and internal
 * services. Public source: IANA IPv4 and IPv6 Special-Purpose Address Registries.
 */
import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC_V4: Readonly<Record<string, readonly string[]>> = {
  'this network, the unspecified address in it': ['0.0.0.0/8'],
  'private networks': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'shared by carriers (CGNAT)': ['100.64.0.0/10'],
  loopback: ['127.0.0.0/8'],
  'link-local, the metadata service in it': ['169.254.0.0/16'],
  'the metadata service of Azure, at an address like any other': ['168.63.129.16/32'],
  'protocol assignments': ['192.0.0.0/24'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  'relays of 6to4': ['192.88.99.0/24'],
  benchmarks: ['198.18.0.0/15'],
  multicast: ['224.0.0.0/4'],
  'reserved, broadcast in it': ['240.0.0.0/4'],
};

/** All public addresses are within this; private, local and translated ones are not. */
const GLOBAL_V6 = '2000::/3';

const NOT_PUBLIC_V6: Readonly<Record<string, readonly string[]>> = {
  'protocol assignments, Teredo in it': ['2001::/23'],
  documentation: ['2001:db8::/32', '3fff::/20'],
  '6to4, which holds an IPv4 address': ['2002::/16'],
  'the former 6bone': ['3ffe::/16'],
};

const REFUSED_V4 = blockList('ipv4', Object.values(NOT_PUBLIC_V4).flat());
const REFUSED_V6 = blockList('ipv6', Object.values(NOT_PUBLIC_V6).flat());
const ADMITTED_V6 = blockList('ipv6', [GLOBAL_V6]);

/** @param address in any form of an IP address, without brackets; anything else is not public */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is on this machine's own links.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !REFUSED_V4.check(address, 'ipv4');
    case 6:
      return ADMITTED_V6.check(address, 'ipv6') && !REFUSED_V6.check(address, 'ipv6');
    default:
      return false;
  }
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
