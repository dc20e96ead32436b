import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Table } from '@cumulet/common/tables/table';
import { QosPolicy, QosRule } from './qos-policy.entity.js';
import * as errors from './qos.errors.js';
import { resourceTable } from '../resource/resource.table.js';

const inUse = ({ id }: Partial<QosPolicy>): errors.QosPolicyInUseError =>
  new errors.QosPolicyInUseError(id ?? '');

export const qosPolicies = resourceTable(QosPolicy, errors.QosPolicyNotFoundError, {
  qos_policies_default_key: ({ projectId }) =>
    new errors.QoSPolicyDefaultAlreadyExistsError(projectId ?? ''),
  networks_qos_policy_fkey: inUse,
  ports_qos_policy_fkey: inUse,
  floating_ips_qos_policy_fkey: inUse,
  routers_qos_policy_fkey: inUse,
});

export const qosRules = new Table(QosRule, {
  missing: (key) =>
    new errors.QosRuleNotFoundError(
      typeof key === 'string' ? key : (key.id ?? ''),
      typeof key === 'string' ? '' : (key.policyId ?? ''),
    ),
});

export interface PolicyUser {
  readonly kind: 'network' | 'port' | 'floatingip' | 'router';
  readonly id: string;
}

/** SQL of the projects that use a policy, for `isUncovered`. */
export const POLICY_USERS = `
  SELECT project_id FROM networks WHERE qos_policy_id = $1 AND state <> 'removing'
   UNION ALL
  SELECT project_id FROM ports WHERE qos_policy_id = $1 AND state <> 'removing'
   UNION ALL
  SELECT project_id FROM floating_ips WHERE qos_policy_id = $1
   UNION ALL
  SELECT project_id FROM routers WHERE qos_policy_id = $1 AND state <> 'removing'`;

/** @returns any resource that uses the policy and is not being removed */
export async function anyUser(
  tx: RequestContext,
  policyId: string,
): Promise<PolicyUser | undefined> {
  const [user] = await preparedRows<PolicyUser>(
    tx.manager,
    `SELECT 'network' AS kind, id FROM networks WHERE qos_policy_id = $1 AND state <> 'removing'
      UNION ALL
     SELECT 'port', id FROM ports WHERE qos_policy_id = $1 AND state <> 'removing'
      UNION ALL
     SELECT 'floatingip', id FROM floating_ips WHERE qos_policy_id = $1
      UNION ALL
     SELECT 'router', id FROM routers WHERE qos_policy_id = $1 AND state <> 'removing' LIMIT 1`,
    [policyId],
  );
  return user;
}

/** Called to apply a policy's rules again. Ports and routers register here. */
export const policyBearers: ((ctx: RequestContext, policyId: string) => Promise<void>)[] = [];
