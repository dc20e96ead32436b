/**
 * What limits and marks a port's traffic are rows of its switch, one for each direction. Public
 * sources: ovn-nb(5), "QoS"; neutron, `extensions/qos.py` of the OVN driver.
 */
import type { BandwidthLimit, PortSpec } from '../../data-plane.js';
import { derivedId, partOf, type WantedRow } from './northbound.js';

const PRIORITY = 2002;

export function qosRows(port: PortSpec): WantedRow[] {
  const { id, qos } = port;
  const sent: Readonly<Record<string, string>> =
    qos.dscpMark === null ? {} : { dscp: String(qos.dscpMark) };
  return [
    ...rowOf(port, 'from-lport', `inport == "${id}"`, sent, qos.egress),
    ...rowOf(port, 'to-lport', `outport == "${id}"`, {}, qos.ingress),
  ];
}

function rowOf(
  { id, networkId }: PortSpec,
  direction: 'from-lport' | 'to-lport',
  match: string,
  action: Readonly<Record<string, string>>,
  limit: BandwidthLimit | null,
): WantedRow[] {
  if (limit === null && Object.keys(action).length === 0) return [];
  return [
    {
      table: 'QoS',
      id: derivedId(id, 'qos', direction),
      row: {
        direction,
        match,
        action,
        priority: PRIORITY,
        bandwidth: bandwidthOf(limit),
        ...partOf(id),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId, column: 'qos_rules' }],
    },
  ];
}

/** Kilobits; without a burst, OVN takes what suits the rate. */
function bandwidthOf(limit: BandwidthLimit | null): Readonly<Record<string, string>> {
  if (limit === null) return {};
  const { maxKbps, maxBurstKbps } = limit;
  return {
    rate: String(maxKbps),
    ...(maxBurstKbps === 0 ? {} : { burst: String(maxBurstKbps) }),
  };
}
