/**
 * A security group is a port group with an ACL for each rule. Ports with port security are in one
 * more, which drops all that no rule lets through. Public sources: ovn-nb(5), "ACL"; neutron,
 * `common/ovn/acl.py`.
 */
import type { SecurityGroupSpec } from '../../data-plane.js';
import { aclMatch, portGroupName } from './acl-match.js';
import { derivedId, markOf, partOf, type WantedRow } from './northbound.js';

const PRIORITY = { allow: 1002, drop: 1001 };
const DIRECTIONS = { ingress: 'to-lport', egress: 'from-lport' } as const;

export const DROP_GROUP = { id: derivedId('cumulet', 'drop'), name: 'cumulet_drop' };

/** The same for all ports of the cloud. */
export function dropRows(): WantedRow[] {
  const acls = [
    { direction: 'to-lport', match: `outport == @${DROP_GROUP.name} && ip` },
    { direction: 'from-lport', match: `inport == @${DROP_GROUP.name} && ip` },
  ].map((acl) => ({
    table: 'ACL' as const,
    id: derivedId('cumulet', 'drop', acl.direction),
    row: { ...acl, priority: PRIORITY.drop, action: 'drop', ...partOf(DROP_GROUP.id) },
  }));
  const { id, name } = DROP_GROUP;
  const row = { name, acls: acls.map((acl) => acl.id), ...partOf(id) };
  return [...acls, { table: 'Port_Group', id, row }];
}

export function securityGroupRows(group: SecurityGroupSpec): WantedRow[] {
  const { id, rules, stateful } = group;
  // What is for no address lets nothing pass.
  const passing = rules.filter(({ remotePrefixes }) => remotePrefixes?.length !== 0);
  const acls = passing.map((rule) => ({
    table: 'ACL' as const,
    id: rule.id,
    row: {
      direction: DIRECTIONS[rule.direction],
      priority: PRIORITY.allow,
      match: aclMatch(group.id, rule),
      action: stateful ? 'allow-related' : 'allow-stateless',
      ...partOf(id),
    },
  }));
  const row = { name: portGroupName(id), acls: acls.map((acl) => acl.id) };
  return [
    ...acls,
    { table: 'Port_Group', id, row: { ...row, ...markOf('security_group', group) } },
  ];
}
