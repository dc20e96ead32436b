/**
 * What limits and marks traffic are rows of a switch, one for each direction: of a port's, of what a
 * router's gateway sends and receives on its network, and of a floating IP's part of that. Public
 * sources: ovn-nb(5), "QoS"; neutron, `extensions/qos.py` of the OVN driver.
 */
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
  /** What else must hold of packets: `ip4.src == 203.0.113.5`. */
  readonly where?: (end: 'src' | 'dst') => string;
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
  const isHere = `is_chassis_resident("cr-${routerPortName(portId)}")`;
  const where = (end: string): string => ` && ip4.${end} == ${address} && ${isHere}`;
  return { id, owner, networkId, portId, qos, priority: ADDRESS_PRIORITY, where };
}

function limitedRows(of: Limited): WantedRow[] {
  const { portId, qos, where = () => '' } = of;
  const sent: Readonly<Record<string, string>> =
    qos.dscpMark === null ? {} : { dscp: String(qos.dscpMark) };
  return [
    ...rowOf(of, 'from-lport', `inport == "${portId}"${where('src')}`, sent, qos.egress),
    ...rowOf(of, 'to-lport', `outport == "${portId}"${where('dst')}`, {}, qos.ingress),
  ];
}

function rowOf(
  { id, owner, networkId, priority }: Limited,
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
        priority,
        bandwidth: bandwidthOf(limit),
        ...partOf(owner),
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
