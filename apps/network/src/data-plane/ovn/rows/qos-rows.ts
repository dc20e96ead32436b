/**
 * What limits and marks traffic are rows of a switch, one for each direction: of a port's, of what a
 * router's gateway sends and receives on its network, and of a floating IP's part of that. Public
 * sources: ovn-nb(5), "QoS"; neutron, `extensions/qos.py` of the OVN driver.
 */
import * as match from '../../../languages/ovn-match.js';
import { numeral, word, type OvsdbWord } from '../../../languages/ovsdb-text.js';
import type {
  BandwidthLimit,
  FloatingIpSpec,
  GatewaySpec,
  PortQos,
  PortSpec,
  RouterSpec,
} from '../../data-plane.js';
import { derivedId, partOf, routerPortName, type WantedRow } from './northbound.js';

const PRIORITY = 2002;
/** Of the rows that match a packet, the highest counts. */
const ADDRESS_PRIORITY = 2003;

interface Limited {
  /** Whose rows they are, and whose the resource is that has them. */
  readonly id: string;
  readonly owner: string;
  readonly networkId: string;
  /** The switch's port where it is seen as what the port sends and receives. */
  readonly portId: string;
  readonly qos: PortQos;
  readonly priority: number;
  /** What else must hold of packets: that they are from or to an address. */
  readonly where?: (end: match.End) => readonly match.OvnMatch[];
}

export function qosRows({ id, networkId, qos }: PortSpec): WantedRow[] {
  return limitedRows({ id, owner: id, networkId, portId: id, qos, priority: PRIORITY });
}

/** Of a router's gateways, and of the floating IPs that go through them. */
export function routerQosRows({ id, gateways, floatingIps }: RouterSpec): WantedRow[] {
  const floating = floatingIps.flatMap((one) => {
    const gateway = gateways.find(({ networkId }) => networkId === one.networkId);
    return gateway ? limitedRows(atGateway(id, one, gateway)) : [];
  });
  return [...gateways.flatMap((gateway) => limitedRows(ofGateway(id, gateway))), ...floating];
}

function ofGateway(owner: string, { portId, networkId, qos }: GatewaySpec): Limited {
  return { id: portId, owner, networkId, portId, qos, priority: PRIORITY };
}

function atGateway(
  owner: string,
  { id, address, networkId, qos }: FloatingIpSpec,
  { portId }: GatewaySpec,
): Limited {
  // Addresses are translated where the gateway is, and nowhere else.
  const isHere = match.isResident(`cr-${routerPortName(portId)}`);
  const where: Limited['where'] = (end) => {
    const isIt = match.isAt('ip4', end, [address]);
    return isIt === undefined ? [isHere] : [isIt, isHere];
  };
  return { id, owner, networkId, portId, qos, priority: ADDRESS_PRIORITY, where };
}

function limitedRows(of: Limited): WantedRow[] {
  const { portId, qos, where = () => [] } = of;
  const sent = qos.dscpMark === null ? {} : { dscp: numeral(qos.dscpMark) };
  const from = match.all(match.isPort('inport', portId), ...where('src'));
  const to = match.all(match.isPort('outport', portId), ...where('dst'));
  return [
    ...rowOf(of, 'from-lport', from, sent, qos.egress),
    ...rowOf(of, 'to-lport', to, {}, qos.ingress),
  ];
}

function rowOf(
  { id, owner, networkId, priority }: Limited,
  direction: 'from-lport' | 'to-lport',
  matched: match.OvnMatch,
  action: Readonly<Record<string, OvsdbWord>>,
  limit: BandwidthLimit | null,
): WantedRow[] {
  if (limit === null && Object.keys(action).length === 0) return [];
  return [
    {
      table: 'QoS',
      id: derivedId(id, 'qos', direction),
      row: {
        direction: word(direction),
        match: matched,
        action,
        priority,
        bandwidth: bandwidthOf(limit),
        ...partOf(owner),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId, column: 'qos_rules' }],
    },
  ];
}

/** Kilobits; without a burst, OVN takes what suits the rate. */
function bandwidthOf(limit: BandwidthLimit | null): Readonly<Record<string, OvsdbWord>> {
  if (limit === null) return {};
  const { maxKbps, maxBurstKbps } = limit;
  return {
    rate: numeral(maxKbps),
    ...(maxBurstKbps === 0 ? {} : { burst: numeral(maxBurstKbps) }),
  };
}
