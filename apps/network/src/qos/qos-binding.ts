/**
 * Which policy a network, a port, a floating IP or a router's gateway has. Public source: neutron, `core_extensions/qos.py`,
 * `services/qos/qos_plugin.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals } from '@cumulet/common/tables/condition';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { qosPolicies, qosRules, type PolicyUser } from './qos-tables.js';
import * as errors from './qos.errors.js';
import { RULE_TYPES } from './rule-types.js';

/**
 * Nobody changes the policy's rules before the transaction ends.
 * @param user whose it is to be
 * @throws QosPolicyNotFoundError for one that the caller may not use
 * @throws QosRuleNotSupportedError for a rule that the data plane does not know
 */
export async function usePolicy(
  tx: RequestContext,
  policyId: string,
  user: PolicyUser,
): Promise<void> {
  await qosPolicies.select(tx, [equals('id', policyId)], 'FOR SHARE');
  // Asked under the lock: who may use it changes under it alone.
  if (!(await qosPolicies.find(tx, policyId, ownOrShared(tx))))
    throw new errors.QosPolicyNotFoundError(policyId);
  const rules = await qosRules.select(tx, [equals('policyId', policyId)]);
  for (const { type } of rules) if (!RULE_TYPES[type].isCarried) throw notSupported(type, user);
}

/**
 * @param before the policy that it has
 * @param after the one that it is to have
 * @throws PolicyRemoveAuthorizationError where somebody else has given it the one before
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

/** The policy of new networks of the project that name none. */
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
