/**
 * Rules of a group as a template lists them, and as the service has them.
 *
 * Always holds: a group that lists no rule for packets from its ports keeps the service's two, which
 * let all of them pass. A rule that another resource of the stack stands for is that one's.
 */
import { stringifyExact } from '../../json/exact-json.js';
import type { JsonObject } from '../../json/json.js';
import { asObject, asText, mapsIn, withoutNulls } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { part, type ServiceCalls } from '../service-calls.js';

const COMPARED = [
  'direction',
  'ethertype',
  'protocol',
  'port_range_min',
  'port_range_max',
  'remote_group_id',
  'remote_ip_prefix',
];

const ALL_LEAVES: readonly JsonObject[] = ['IPv4', 'IPv6'].map((ethertype) => ({
  direction: 'egress',
  ethertype,
}));

/** Makes the rules of the group those of its properties; again, it changes nothing. */
export async function settleRules(scope: ExistingScope, calls: ServiceCalls): Promise<void> {
  const id = scope.row.physicalId;
  const { security_group: group } = await calls.get(`/v2.0/security-groups/${part(id)}`);
  const present = mapsIn(asObject(group) ?? {}, 'security_group_rules') ?? [];
  const wanted = new Map(rulesOf(scope).map((rule) => [keyOf(rule), rule]));
  const kept = new Set<string>();
  for (const rule of present) {
    const key = keyOf(rule);
    const ruleId = asText(rule['id']);
    if (wanted.has(key)) kept.add(key);
    else if (!(await scope.sibling(ruleId)))
      await calls.remove(`/v2.0/security-group-rules/${part(ruleId)}`);
  }
  const missing = [...wanted].filter(([key]) => !kept.has(key)).map(([, rule]) => rule);
  if (missing.length > 0)
    await calls.act('/v2.0/security-group-rules', { security_group_rules: missing });
}

function rulesOf({ properties, row }: ExistingScope): readonly JsonObject[] {
  const listed = (mapsIn(properties, 'rules') ?? []).map((rule) => bodyOf(rule, row.physicalId));
  const hasEgress = listed.some(({ direction }) => direction === 'egress');
  const rules = hasEgress ? listed : [...listed, ...ALL_LEAVES];
  return rules.map((rule) => ({ ...rule, security_group_id: row.physicalId }));
}

/** A rule of members of a group, by default of its own, has no block of addresses beside it. */
function bodyOf(rule: JsonObject, own: string): JsonObject {
  const { remote_mode: mode, remote_group_id: group, remote_ip_prefix: prefix, ...rest } = rule;
  const isOfGroup = mode === 'remote_group_id';
  return withoutNulls({
    ...rest,
    remote_group_id: isOfGroup ? (group ?? own) : null,
    remote_ip_prefix: isOfGroup ? null : (prefix ?? null),
  });
}

function keyOf(rule: JsonObject): string {
  return stringifyExact(COMPARED.map((name) => asText(rule[name])));
}
