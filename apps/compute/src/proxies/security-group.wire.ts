/** Security groups in the network service's form, and in that of Nova's proxies. */
import { isIP } from 'node:net';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CreateSecurityGroupRuleDto } from './security-group.dto.js';

export interface SisterRule {
  readonly id: string;
  readonly direction: string;
  readonly security_group_id: string;
  readonly protocol: string | null;
  readonly port_range_min: number | null;
  readonly port_range_max: number | null;
  readonly remote_group_id: string | null;
  readonly remote_ip_prefix: string | null;
}

export interface SisterGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly project_id: string;
  readonly security_group_rules: readonly SisterRule[];
}

export const SecurityGroupRuleView = answerClass('SecurityGroupRuleView', {
  id: Shown(String, 'Its id.'),
  parent_group_id: Shown(String, 'The ID of the security group.'),
  ip_protocol: Shown(String, 'The protocol: icmp, tcp or udp; null for any.', { nullable: true }),
  from_port: Shown('integer', 'The first port; for ICMP, the type.', { nullable: true }),
  to_port: Shown('integer', 'The last port; for ICMP, the code.', { nullable: true }),
  group: Shown(Object, 'The `name` and `tenant_id` of the source group.', {
    schema: { additionalProperties: { type: 'string' } },
  }),
  ip_range: Shown(Object, 'The source range `cidr`.', {
    schema: { additionalProperties: { type: 'string' } },
  }),
});

export const SecurityGroupView = answerClass('SecurityGroupView', {
  id: Shown(String, 'Its id.'),
  name: Shown(String, 'Its name.'),
  description: Shown(String, 'The description of the security group.'),
  tenant_id: Shown(String, 'Its project.'),
  rules: Shown([() => SecurityGroupRuleView], 'The ingress rules.'),
});

export const SecurityGroupList = allUnder(
  'security_groups',
  SecurityGroupView,
  'The security groups of the project.',
);

/** @param sources groups that rules name, by ID; a missing one hides its rule */
export function securityGroupView(
  group: SisterGroup,
  sources: ReadonlyMap<string, SisterGroup>,
): object {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    tenant_id: group.project_id,
    rules: group.security_group_rules
      .filter(({ direction }) => direction === 'ingress')
      .filter(({ remote_group_id: source }) => source === null || sources.has(source))
      .map((rule) => ruleView(rule, sources)),
  };
}

export function ruleView(rule: SisterRule, sources: ReadonlyMap<string, SisterGroup>): object {
  const source = rule.remote_group_id === null ? undefined : sources.get(rule.remote_group_id);
  const cidr = rule.remote_ip_prefix ?? '0.0.0.0/0';
  const isOfPorts = ['tcp', 'udp'].includes((rule.protocol ?? '').toLowerCase());
  // A protocol without ports stands for all of them.
  const isWhole =
    rule.protocol !== null && rule.port_range_min === null && rule.port_range_max === null;
  return {
    id: rule.id,
    parent_group_id: rule.security_group_id,
    ip_protocol: rule.protocol,
    from_port: isWhole ? (isOfPorts ? 1 : -1) : rule.port_range_min,
    to_port: isWhole ? (isOfPorts ? 65_535 : -1) : rule.port_range_max,
    group: source ? { name: source.name, tenant_id: source.project_id } : {},
    ip_range: source ? {} : { cidr },
  };
}

/** From a proxy's rule (nova, `network/security_group_api.py`, `_new_ingress_rule`). */
const MAX_PORT = 65_535;
const MAX_TYPE = 255;

/** @throws InvalidInputError naming the fault */
export function ruleOf(dto: CreateSecurityGroupRuleDto): object {
  const { parent_group_id, group_id = null } = dto;
  const cidr = group_id === null ? cidrOf(dto.cidr) : null;
  const protocol = dto.ip_protocol?.toLowerCase();
  const [from, to] = [portOf(dto.from_port), portOf(dto.to_port)];
  if (group_id === null && (protocol === undefined || from === undefined || to === undefined))
    throw new InvalidInputError('Not enough parameters to build a valid rule.');
  if (protocol !== undefined && from !== undefined && to !== undefined)
    checkRange(protocol, from, to);
  return {
    direction: 'ingress',
    ethertype: cidr?.includes(':') ? 'IPv6' : 'IPv4',
    security_group_id: parent_group_id,
    protocol: protocol ?? null,
    port_range_min: bound(from),
    port_range_max: bound(to),
    remote_group_id: group_id,
    remote_ip_prefix: cidr,
  };
}

/** -1 means any. */
function bound(port: number | undefined): number | null {
  return port === undefined || port === -1 ? null : port;
}

function portOf(value: number | string | null | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (!/^-?\d{1,9}$/.test(String(value)))
    throw new InvalidInputError(
      'Invalid input received: To and From ports, or Type and Code, must be integers',
    );
  return Number(value);
}

function cidrOf(cidr: string | null | undefined): string {
  if (!cidr) return '0.0.0.0/0';
  const [address = '', prefix, ...others] = cidr.split('/');
  const family = isIP(address);
  const max = family === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= max);
  if (family === 0 || !isPrefix || others.length > 0)
    throw new InvalidInputError(`${cidr} is not a valid IP network.`);
  if (prefix === '0' && !['0.0.0.0', '::'].includes(address))
    throw new InvalidInputError(`Bad prefix for network in cidr ${cidr}`);
  return cidr;
}

function checkRange(protocol: string, from: number, to: number): void {
  const invalid = (why: string): InvalidInputError =>
    new InvalidInputError(`Invalid port range ${from}:${to}. ${why}`);
  switch (protocol) {
    case 'icmp':
      if ([from, to].some((one) => one < -1 || one > MAX_TYPE))
        throw invalid('For ICMP, the type:code must be valid');
      return;
    case 'tcp':
    case 'udp':
      if (from > to) throw invalid('Former value cannot be greater than the later');
      if (from < 1 || to > MAX_PORT)
        throw invalid(`Valid ${protocol.toUpperCase()} ports should be between 1-${MAX_PORT}`);
      return;
    default:
      throw new InvalidInputError(`Invalid IP protocol ${protocol}`);
  }
}
