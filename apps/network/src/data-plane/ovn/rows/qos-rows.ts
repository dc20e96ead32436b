/**
 * Bandwidth limits and DSCP marks are rows of a switch, one for each direction: for a port, for a
 * router's gateway on its network, and for each floating IP of the gateway. Public sources:
 * ovn-nb(5), "QoS"; neutron, `extensions/qos.py` of the OVN driver.
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
/** The matching row with the highest priority applies. */
const ADDRESS_PRIORITY = 2003;

interface Limited {
  /** The ID of the limited resource; `owner` is the resource that the rows are part of. */
  readonly id: string;
  readonly owner: string;
  readonly networkId: string;
  /** The switch's port whose traffic is matched. */
  readonly portId: string;
  readonly qos: PortQos;
  readonly priority: number;
  /** Further conditions, such as on an address. */
  readonly where?: (end: match.End) => readonly match.OvnMatch[];
}

export function qosRows({ id, networkId, qos }: PortSpec): WantedRow[] {
  return limitedRows({ id, owner: id, networkId, portId: id, qos, priority: PRIORITY });
}

/** For the gateways of a router, and the floating IPs behind them. */
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
  // Addresses are translated on the gateway's host only.
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

/** In kilobits; without a burst, OVN chooses one that suits the rate. */
function bandwidthOf(limit: BandwidthLimit | null): Readonly<Record<string, OvsdbWord>> {
  if (limit === null) return {};
  const { maxKbps, maxBurstKbps } = limit;
  return {
    rate: numeral(maxKbps),
    ...(maxBurstKbps === 0 ? {} : { burst: numeral(maxBurstKbps) }),
  };
}
