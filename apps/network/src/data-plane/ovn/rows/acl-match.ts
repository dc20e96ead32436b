/** From a rule of a security group to what OVN matches. Public source: ovn-nb(5), "ACL". */
import * as match from '../../../languages/ovn-match.js';
import { ICMP, protocolNumber } from '../../../addresses/protocols.js';
import type { SecurityGroupSpec } from '../../data-plane.js';

type Rule = SecurityGroupSpec['rules'][number];

/** Those whose ports OVN can match; of others, a rule's ports are not looked at, as in Neutron. */
const WITH_PORTS = new Map<number, 'tcp' | 'udp' | 'sctp'>([
  [6, 'tcp'],
  [17, 'udp'],
  [132, 'sctp'],
]);

/** OVN keeps the addresses of its ports in sets of this name with `_ip4` and `_ip6`. */
export function portGroupName(id: string): string {
  return match.identifier(`pg_${id}`);
}

/** @returns undefined for a rule that is for no address, and lets nothing pass */
export function aclMatch(groupId: string, rule: Rule): match.OvnMatch | undefined {
  const { direction, ethertype, remotePrefixes, remoteGroupId } = rule;
  const isIngress = direction === 'ingress';
  const ip = ethertype === 'IPv4' ? 'ip4' : 'ip6';
  const end = isIngress ? 'src' : 'dst';
  const remotes = remotePrefixes === null ? [] : [match.isAt(ip, end, remotePrefixes)];
  const known = remotes.filter((one) => one !== undefined);
  if (known.length < remotes.length) return undefined;
  return match.all(
    match.isInGroup(isIngress ? 'outport' : 'inport', portGroupName(groupId)),
    match.isOf(ip),
    ...known,
    ...(remoteGroupId === null ? [] : [match.isOfGroup(ip, end, portGroupName(remoteGroupId))]),
    ...protocolMatch(rule),
  );
}

function protocolMatch({
  protocol,
  ethertype,
  portRangeMin: min,
  portRangeMax: max,
}: Rule): match.OvnMatch[] {
  if (protocol === null) return [];
  const number = protocolNumber(protocol) ?? 0;
  if (ICMP.includes(number)) {
    const icmp = ethertype === 'IPv4' ? 'icmp4' : 'icmp6';
    return [
      match.isOf(icmp),
      ...(min === null ? [] : [match.compares(`${icmp}.type`, '==', min)]),
      ...(max === null ? [] : [match.compares(`${icmp}.code`, '==', max)]),
    ];
  }
  const name = WITH_PORTS.get(number);
  if (name === undefined) return [match.compares('ip.proto', '==', number)];
  const port = `${name}.dst` as const;
  const isOne = min !== null && min === max;
  return [
    match.isOf(name),
    ...(isOne ? [match.compares(port, '==', min)] : []),
    ...(isOne || min === null ? [] : [match.compares(port, '>=', min)]),
    ...(isOne || max === null ? [] : [match.compares(port, '<=', max)]),
  ];
}
