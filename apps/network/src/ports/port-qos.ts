/** What limits a port's traffic: its own policy, or else its network's. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals } from '@cumulet/common/tables/condition';
import type { BandwidthLimit, PortQos } from '../data-plane/data-plane.js';
import type { QosRule } from '../qos/qos-policy.entity.js';
import { qosRules } from '../qos/qos-tables.js';
import type { Port } from './port.entity.js';

export const NO_QOS: PortQos = { ingress: null, egress: null, dscpMark: null };

export async function qosOf(
  ctx: RequestContext,
  port: Pick<Port, 'qosPolicyId' | 'qosNetworkPolicyId' | 'deviceOwner'>,
): Promise<PortQos> {
  const isOwn = port.deviceOwner.startsWith('network:');
  const policyId = port.qosPolicyId ?? (isOwn ? null : port.qosNetworkPolicyId);
  if (policyId === null) return NO_QOS;
  const rules = await qosRules.select(ctx, [equals('policyId', policyId)]);
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
  // As Open vSwitch takes it, 0 is no limit.
  return maxKbps === 0 ? null : { maxKbps, maxBurstKbps };
}
