/**
 * A security group is a port group with an ACL for each rule. Ports with port security are in one
 * more, which drops all that no rule lets through. Public sources: ovn-nb(5), "ACL"; neutron,
 * `common/ovn/acl.py`.
 */
import { all, isInGroup, isOf } from '../../../languages/ovn-match.js';
import { plain, plains, word } from '../../../languages/ovsdb-text.js';
import type { SecurityGroupSpec } from '../../data-plane.js';
import { aclMatch, portGroupName } from './acl-match.js';
import { derivedId, markOf, partOf, type WantedRow } from './northbound.js';

const PRIORITY = { allow: 1002, drop: 1001 };
const DIRECTIONS = { ingress: word('to-lport'), egress: word('from-lport') };

export const DROP_GROUP = { id: derivedId('cumulet', 'drop'), name: 'cumulet_drop' };

/** The same for all ports of the cloud. */
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
