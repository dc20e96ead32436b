/**
 * QoS policies of networks, ports, floating IPs and routers' gateways. Public source: neutron,
 * `core_extensions/qos.py`, `services/qos/qos_plugin.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { qosPolicies, qosRules, type PolicyUser } from './qos-tables.js';
import * as errors from './qos.errors.js';
import { RULE_TYPES } from './rule-types.js';
import { NO_QOS, type BandwidthLimit, type PortQos } from '../data-plane/data-plane.js';
import type { QosRule } from './qos-policy.entity.js';

/**
 * Locks the policy's rules until the transaction ends.
 * @param user the resource that is to have the policy
 * @throws QosPolicyNotFoundError for one that the caller may not use
 * @throws QosRuleNotSupportedError for a rule that the data plane does not support
 */
export async function usePolicy(
  tx: RequestContext,
  policyId: string,
  user: PolicyUser,
): Promise<void> {
  await qosPolicies.select(tx, [equals('id', policyId)], 'FOR SHARE');
  // Checked under the lock, since access changes only under it.
  if (!(await qosPolicies.find(tx, policyId, ownOrShared(tx))))
    throw new errors.QosPolicyNotFoundError(policyId);
  const rules = await qosRules.select(tx, [equals('policyId', policyId)]);
  for (const { type } of rules) if (!RULE_TYPES[type].isCarried) throw notSupported(type, user);
}

/**
 * @param before the present policy
 * @param after the requested policy
 * @throws PolicyRemoveAuthorizationError if the caller may not see the present policy
 */
export async function changePolicy(
  tx: RequestContext,
  before: string | null,
  after: string | null,
  user: PolicyUser,
): Promise<void> {
  if (before !== null && !(await qosPolicies.find(tx, before, ownOrShared(tx))))
    throw new errors.PolicyRemoveAuthorizationError(before);
  if (after !== null) await usePolicy(tx, after, user);
}

/** The default policy of the project, for new networks. */
export async function defaultPolicy(tx: RequestContext): Promise<string | null> {
  const conditions = [equals('projectId', tx.projectId), equals('isDefault', true)];
  const [policy] = await qosPolicies.select(tx, conditions);
  return policy?.id ?? null;
}

export function notSupported(type: string, { kind, id }: PolicyUser): Error {
  return kind === 'network'
    ? new errors.QosRuleNotSupportedByNetworkError(type, id)
    : new errors.QosRuleNotSupportedError(type, kind, id);
}

/** @returns the rules of each policy, as the data plane gets them; for null, none */
export async function rulesOfPolicies(
  ctx: RequestContext,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => PortQos> {
  const named = ids.filter((id) => id !== null);
  const rules = named.length > 0 ? await qosRules.select(ctx, [oneOf('policyId', named)]) : [];
  return (id) => (id === null ? NO_QOS : qosIn(rules.filter(({ policyId }) => policyId === id)));
}

function qosIn(rules: readonly QosRule[]): PortQos {
  const mark = rules.find(({ type }) => type === 'dscp_marking');
  return {
    ingress: limitOf(rules, 'ingress'),
    egress: limitOf(rules, 'egress'),
    dscpMark: mark?.settings['dscp_mark'] ?? null,
  };
}

function limitOf(rules: readonly QosRule[], direction: string): BandwidthLimit | null {
  const rule = rules.find((one) => one.type === 'bandwidth_limit' && one.direction === direction);
  if (!rule) return null;
  const { max_kbps: maxKbps = 0, max_burst_kbps: maxBurstKbps = 0 } = rule.settings;
  // As in Open vSwitch, 0 means no limit.
  return maxKbps === 0 ? null : { maxKbps, maxBurstKbps };
}
