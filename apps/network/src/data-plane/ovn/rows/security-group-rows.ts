/**
 * A security group is a port group with an ACL for each rule. Ports with port security are also in
 * a port group that drops all other packets. Public sources: ovn-nb(5), "ACL"; neutron,
 * `common/ovn/acl.py`.
 */
import { all, isInGroup, isOf } from '../../../languages/ovn-match.js';
import { plain, plains, word } from '../../../languages/ovsdb-text.js';
import type { SecurityGroupSpec } from '../../data-plane.js';
import { derivedId, markOf, partOf, type WantedRow } from './northbound.js';
import * as match from '../../../languages/ovn-match.js';
import { ICMP, protocolNumber } from '../../../addresses/protocols.js';

const PRIORITY = { allow: 1002, drop: 1001 };
const DIRECTIONS = { ingress: word('to-lport'), egress: word('from-lport') };

export const DROP_GROUP = { id: derivedId('cumulet', 'drop'), name: 'cumulet_drop' };

export function dropRows(): WantedRow[] {
  const acls = [
    {
      direction: DIRECTIONS.ingress,
      match: all(isInGroup('outport', DROP_GROUP.name), isOf('ip')),
    },
    { direction: DIRECTIONS.egress, match: all(isInGroup('inport', DROP_GROUP.name), isOf('ip')) },
  ].map((acl) => ({
    table: 'ACL' as const,
    id: derivedId('cumulet', 'drop', acl.direction),
    row: { ...acl, priority: PRIORITY.drop, action: word('drop'), ...partOf(DROP_GROUP.id) },
  }));
  const { id, name } = DROP_GROUP;
  const row = { name: plain(name), acls: plains(acls.map((acl) => acl.id)), ...partOf(id) };
  return [...acls, { table: 'Port_Group', id, row }];
}

export function securityGroupRows(group: SecurityGroupSpec): WantedRow[] {
  const { id, rules, stateful } = group;
  const action = word(stateful ? 'allow-related' : 'allow-stateless');
  const acls = rules.flatMap((rule) => {
    const match = aclMatch(group.id, rule);
    if (match === undefined) return [];
    const direction = DIRECTIONS[rule.direction];
    const row = { direction, priority: PRIORITY.allow, match, action, ...partOf(id) };
    return [{ table: 'ACL' as const, id: rule.id, row }];
  });
  const row = { name: plain(portGroupName(id)), acls: plains(acls.map((acl) => acl.id)) };
  return [
    ...acls,
    { table: 'Port_Group', id, row: { ...row, ...markOf('security_group', group) } },
  ];
}

type Rule = SecurityGroupSpec['rules'][number];

/** The protocols whose ports OVN can match; for others they are ignored, as in Neutron. */
const WITH_PORTS = new Map<number, 'tcp' | 'udp' | 'sctp'>([
  [6, 'tcp'],
  [17, 'udp'],
  [132, 'sctp'],
]);

/** OVN keeps its ports' addresses in sets of this name with the suffixes `_ip4` and `_ip6`. */
function portGroupName(id: string): string {
  return match.identifier(`pg_${id}`);
}

/**
 * The match of a rule's ACL. Public source: ovn-nb(5), "ACL".
 * @returns undefined for a rule with an empty set of addresses, which matches nothing
 */
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
