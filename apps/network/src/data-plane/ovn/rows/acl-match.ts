/** From a rule of a security group to what OVN matches. Public source: ovn-nb(5), "ACL"; ovn-sb(5), "Logical_Flow". */
import { ICMP, protocolNumber } from '../../../security-group-rules/protocols.js';
import type { SecurityGroupSpec } from '../../data-plane.js';

type Rule = SecurityGroupSpec['rules'][number];

/** Those whose ports OVN can match; of others, a rule's ports are not looked at, as in Neutron. */
const WITH_PORTS: Readonly<Record<number, string>> = { 6: 'tcp', 17: 'udp', 132: 'sctp' };

/** OVN keeps the addresses of its ports in sets of this name with `_ip4` and `_ip6`. */
export function portGroupName(id: string): string {
  return `pg_${id.replaceAll('-', '_')}`;
}

export function aclMatch(groupId: string, rule: Rule): string {
  const isIngress = rule.direction === 'ingress';
  const ip = rule.ethertype === 'IPv4' ? 'ip4' : 'ip6';
  const remote = `${ip}.${isIngress ? 'src' : 'dst'}`;
  return [
    `${isIngress ? 'outport' : 'inport'} == @${portGroupName(groupId)}`,
    ip,
    ...(rule.remotePrefixes === null ? [] : [`${remote} == ${setOf(rule.remotePrefixes)}`]),
    ...(rule.remoteGroupId === null
      ? []
      : [`${remote} == $${portGroupName(rule.remoteGroupId)}_${ip}`]),
    ...protocolMatch(rule),
  ].join(' && ');
}

/** @param prefixes at least one: OVN has no empty set */
function setOf(prefixes: readonly string[]): string {
  return prefixes.length === 1 ? prefixes.join('') : `{${prefixes.join(', ')}}`;
}

function protocolMatch({
  protocol,
  ethertype,
  portRangeMin: min,
  portRangeMax: max,
}: Rule): string[] {
  if (protocol === null) return [];
  const number = protocolNumber(protocol) ?? 0;
  if (ICMP.includes(number)) {
    const icmp = ethertype === 'IPv4' ? 'icmp4' : 'icmp6';
    return [
      icmp,
      ...(min === null ? [] : [`${icmp}.type == ${min}`]),
      ...(max === null ? [] : [`${icmp}.code == ${max}`]),
    ];
  }
  const name = WITH_PORTS[number];
  if (name === undefined) return [`ip.proto == ${number}`];
  const isOne = min !== null && min === max;
  return [
    name,
    ...(isOne ? [`${name}.dst == ${min}`] : []),
    ...(isOne || min === null ? [] : [`${name}.dst >= ${min}`]),
    ...(isOne || max === null ? [] : [`${name}.dst <= ${max}`]),
  ];
}
