/** What policies say of traffic, as the data plane is told of it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { oneOf } from '@cumulet/common/tables/condition';
import { NO_QOS, type BandwidthLimit, type PortQos } from '../data-plane/data-plane.js';
import type { QosRule } from './qos-policy.entity.js';
import { qosRules } from './qos-tables.js';

/** @returns what each of the policies says; nothing for null */
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
  // As Open vSwitch takes it, 0 is no limit.
  return maxKbps === 0 ? null : { maxKbps, maxBurstKbps };
}
