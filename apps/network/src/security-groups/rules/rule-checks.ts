/**
 * Validates and normalises a rule. Public source: neutron,
 * `_validate_base_security_group_rule_attributes` in `db/securitygroups_db.py`.
 */
import { parseCidr } from '@cumulet/common/addresses/ip-address';
import { ICMP, OF_IPV6, protocolNumber, WITH_PORTS } from '../../addresses/protocols.js';
import * as errors from './rule.errors.js';
import type { SecurityGroupRule } from './security-group-rule.resource.js';

export type RuleMatch = Pick<
  SecurityGroupRule,
  | 'direction'
  | 'ethertype'
  | 'protocol'
  | 'portRangeMin'
  | 'portRangeMax'
  | 'remoteIpPrefix'
  | 'remoteGroupId'
  | 'remoteAddressGroupId'
>;

/** Normalises the name of ICMPv6, and the full range of ports to none. */
export function canonicalRule(rule: RuleMatch): RuleMatch {
  const isAllPorts = rule.portRangeMin === 1 && rule.portRangeMax === 65_535;
  return {
    ...rule,
    protocol: canonicalProtocol(rule),
    ...(isAllPorts ? { portRangeMin: null, portRangeMax: null } : {}),
  };
}

function canonicalProtocol({ ethertype, protocol }: RuleMatch): string | null {
  if (ethertype !== 'IPv6') return protocol;
  if (protocol === 'icmp' || protocol === 'icmpv6') return 'ipv6-icmp';
  return protocol === '1' ? '58' : protocol;
}

/** @throws Neutron's class for attributes that do not go together */
export function checkRule(rule: RuleMatch): void {
  const { ethertype, protocol, remoteIpPrefix } = rule;
  const number = protocol === null ? undefined : protocolNumber(protocol);
  checkPorts(rule, number);
  if (protocol !== null && ethertype === 'IPv4' && OF_IPV6.includes(number ?? 0))
    throw new errors.SecurityGroupEthertypeConflictWithProtocolError(ethertype, protocol);
  const remotes = [remoteIpPrefix, rule.remoteGroupId, rule.remoteAddressGroupId];
  if (remotes.filter((remote) => remote !== null).length > 1)
    throw new errors.SecurityGroupMultipleRemoteEntitesError();
  if (remoteIpPrefix === null) return;
  if (`IPv${parseCidr(remoteIpPrefix)?.version ?? ''}` !== ethertype)
    throw new errors.SecurityGroupRuleParameterConflictError(ethertype, remoteIpPrefix);
}

function checkPorts(rule: RuleMatch, number: number | undefined): void {
  const { protocol, portRangeMin: min, portRangeMax: max } = rule;
  if (min === null && max === null) return;
  if (protocol === null) throw new errors.SecurityGroupProtocolRequiredWithPortsError();
  if (ICMP.includes(number ?? 0)) {
    if (min !== null && min > 255) throw new errors.SecurityGroupInvalidIcmpValueError('type', min);
    if (max !== null && max > 255) throw new errors.SecurityGroupInvalidIcmpValueError('code', max);
    if (min === null && max !== null) throw new errors.SecurityGroupMissingIcmpTypeError(max);
    return;
  }
  if (!WITH_PORTS.includes(number ?? 0))
    throw new errors.SecurityGroupInvalidProtocolForPortError(protocol);
  if (min === 0 || max === 0) throw new errors.SecurityGroupInvalidPortValueError(0);
  if (min === null || max === null || min > max)
    throw new errors.SecurityGroupInvalidPortRangeError(min, max);
}
