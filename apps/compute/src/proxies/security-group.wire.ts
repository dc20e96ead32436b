/** Security groups as the network service has them, and as Nova's proxies show them. */
import { Shown } from '@cumulet/common/http/shown';

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

export class SecurityGroupRuleView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'The group that it is of.')
  parent_group_id: string;

  @Shown(String, 'icmp, tcp or udp; null is any.', { nullable: true })
  ip_protocol: string | null;

  @Shown('integer', 'The first port; of ICMP, the type.', { nullable: true })
  from_port: number | null;

  @Shown('integer', 'The last port; of ICMP, the code.', { nullable: true })
  to_port: number | null;

  @Shown(Object, 'The group whose members it lets in: `name` and `tenant_id`.', {
    schema: { additionalProperties: { type: 'string' } },
  })
  group: object;

  @Shown(Object, 'The addresses that it lets in: `cidr`.', {
    schema: { additionalProperties: { type: 'string' } },
  })
  ip_range: object;
}

export class SecurityGroupView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'What its owner says of it.')
  description: string;

  @Shown(String, 'Its project.')
  tenant_id: string;

  @Shown([() => SecurityGroupRuleView], 'What it lets in.')
  rules: SecurityGroupRuleView[];
}

/** @param sources the groups that rules name, by id; one that is gone hides its rule */
export function securityGroupView(
  group: SisterGroup,
  sources: ReadonlyMap<string, SisterGroup>,
): SecurityGroupView {
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

export function ruleView(
  rule: SisterRule,
  sources: ReadonlyMap<string, SisterGroup>,
): SecurityGroupRuleView {
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
