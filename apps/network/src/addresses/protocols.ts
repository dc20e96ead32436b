/** Protocol numbers by name. Public source: neutron-lib, `IP_PROTOCOL_MAP`. */

const NUMBERS: Readonly<Record<string, number>> = {
  ah: 51,
  dccp: 33,
  egp: 8,
  esp: 50,
  gre: 47,
  icmp: 1,
  icmpv6: 58,
  igmp: 2,
  ipip: 4,
  'ipv6-encap': 41,
  'ipv6-frag': 44,
  'ipv6-icmp': 58,
  'ipv6-nonxt': 59,
  'ipv6-opts': 60,
  'ipv6-route': 43,
  ospf: 89,
  pgm: 113,
  rsvp: 46,
  sctp: 132,
  tcp: 6,
  udp: 17,
  udplite: 136,
  vrrp: 112,
};

export const PROTOCOLS = Object.keys(NUMBERS);

/** @returns undefined for text that is neither a known name nor a number */
export function protocolNumber(protocol: string): number | undefined {
  if (/^\d{1,3}$/.test(protocol)) return Number(protocol) <= 255 ? Number(protocol) : undefined;
  return Object.hasOwn(NUMBERS, protocol) ? NUMBERS[protocol] : undefined;
}

export const ICMP = [1, 58];
/** DCCP, SCTP, TCP, UDP and UDP-Lite. */
export const WITH_PORTS = [6, 17, 33, 132, 136];
/** Protocols that exist in IPv6 only. */
export const OF_IPV6 = [41, 43, 44, 58, 59, 60];
