/**
 * What a policy's rules may not say together. Public source: neutron,
 * `objects/qos/qos_policy_validator.py`.
 */
import type { QosRule } from './qos-policy.entity.js';
import * as errors from './qos.errors.js';

/**
 * @param rule as it is to be
 * @param others of the same policy
 * @throws QoSRulesConflictError for a second one of its type and direction
 * @throws QoSRuleParameterConflictError for a limit below what is the least
 */
export function checkConflicts(rule: QosRule, others: readonly QosRule[]): void {
  for (const other of others) {
    if (other.id === rule.id) continue;
    if (other.type === rule.type) checkTwin(rule, other);
    if (other.direction !== rule.direction) continue;
    refuseLess(rule, other, 'bandwidth_limit', 'minimum_bandwidth');
    refuseLess(rule, other, 'minimum_bandwidth', 'bandwidth_limit');
  }
}

function checkTwin(rule: QosRule, other: QosRule): void {
  if (other.direction === rule.direction)
    throw new errors.QoSRulesConflictError(rule.type, other.id, rule.policyId);
  // Packets of both directions together are not counted besides those of one.
  if (other.direction === 'any' || rule.direction === 'any')
    throw conflict(rule, rule.direction, other, other.direction);
}

const LIMITS = { bandwidth_limit: 'max_kbps', minimum_bandwidth: 'min_kbps' } as const;
type Limited = keyof typeof LIMITS;

function refuseLess(rule: QosRule, other: QosRule, type: Limited, otherType: Limited): void {
  if (rule.type !== type || other.type !== otherType) return;
  const [value, otherValue] = [rule.settings[LIMITS[type]], other.settings[LIMITS[otherType]]];
  const [most = 0, least = 0] =
    type === 'bandwidth_limit' ? [value, otherValue] : [otherValue, value];
  if (least > most) throw conflict(rule, value, other, otherValue);
}

function conflict(
  rule: QosRule,
  value: unknown,
  other: QosRule,
  otherValue: unknown,
): errors.QoSRuleParameterConflictError {
  return new errors.QoSRuleParameterConflictError(value, rule.policyId, other.type, otherValue);
}
