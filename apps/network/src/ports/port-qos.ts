/** What limits a port's traffic: its own policy, or else its network's. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { PortQos } from '../data-plane/data-plane.js';
import { rulesOfPolicies } from '../qos/policy-rules.js';
import type { Port } from './port.entity.js';

export async function qosOf(
  ctx: RequestContext,
  port: Pick<Port, 'qosPolicyId' | 'qosNetworkPolicyId' | 'deviceOwner'>,
): Promise<PortQos> {
  const isOwn = port.deviceOwner.startsWith('network:');
  const policyId = port.qosPolicyId ?? (isOwn ? null : port.qosNetworkPolicyId);
  return (await rulesOfPolicies(ctx, [policyId]))(policyId);
}
