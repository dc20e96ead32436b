/** What rules of security groups say, in a group and by themselves. */
import { custom, integer, oneOf, range, text } from '../declare.js';
import type { PropertySchemas } from '../../constraints/property-schema.js';

const NAMES = [
  'ah',
  'dccp',
  'egp',
  'esp',
  'gre',
  'icmp',
  'icmpv6',
  'igmp',
  'ipv6-encap',
  'ipv6-frag',
  'ipv6-icmp',
  'ipv6-nonxt',
  'ipv6-opts',
  'ipv6-route',
  'ospf',
  'pgm',
  'rsvp',
  'sctp',
  'tcp',
  'udp',
  'udplite',
  'vrrp',
];

/** By name or by number. */
export const PROTOCOLS = oneOf(...NAMES, ...Array.from({ length: 256 }, (_, at) => String(at)));

const PORTS = { constraints: [range(0, 65_535)] };

export const RULE_PROPERTIES: PropertySchemas = {
  direction: text('Whether it is of packets to the port, or from it.', {
    default: 'ingress',
    constraints: [oneOf('ingress', 'egress')],
  }),
  ethertype: text('The version of IP.', {
    default: 'IPv4',
    constraints: [oneOf('IPv4', 'IPv6')],
  }),
  port_range_min: integer('The first port; of ICMP, the type.', PORTS),
  port_range_max: integer('The last port; of ICMP, the code.', PORTS),
  remote_ip_prefix: text('The addresses at the other end, as a block.', {
    constraints: [custom('net_cidr')],
  }),
};
