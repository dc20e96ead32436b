/**
 * A port is a logical switch port, in the port groups of its security groups. Public sources:
 * ovn-nb(5), "Logical_Switch_Port"; neutron, `plugins/ml2/drivers/ovn/mech_driver/ovsdb`.
 */
import { hosts, ofMac, plain, plains, UNKNOWN, word } from '../../../languages/ovsdb-text.js';
import type { OvnAddress } from '../../../languages/ovsdb-text.js';
import type { NetworkSpec, PortSpec, PortStatus } from '../../data-plane.js';
import type { Row } from '../../ovsdb/ovsdb-schema.js';
import { portDhcp } from './dhcp-rows.js';
import { portMark, specIn, type WantedRow } from './northbound.js';
import { qosRows } from './qos-rows.js';
import { DROP_GROUP } from './security-group-rows.js';

export function portRows(port: PortSpec, network: NetworkSpec): WantedRow[] {
  const { id, host, parent, prepared, portSecurityEnabled } = port;
  // The first host is the port's current one.
  const at = hosts(host === null ? [] : [host, ...prepared.map((one) => one.host)]);
  const { rows, ...dhcp } = portDhcp(port, network);
  const groups = portSecurityEnabled ? [DROP_GROUP.id, ...port.securityGroups] : [];
  return [
    {
      table: 'Logical_Switch_Port',
      id,
      row: {
        name: plain(id),
        type: word(''),
        addresses: addressesOf(port),
        port_security: portSecurityEnabled ? securedAddresses(port) : [],
        enabled: [port.adminStateUp && network.adminStateUp],
        // A subport is on the host of its parent.
        parent_name: plains(parent === null ? [] : [parent.portId]),
        tag: parent === null ? [] : [parent.tag],
        options: at === undefined ? {} : { 'requested-chassis': at },
        ...dhcp,
        ...portMark(port, network),
      },
      memberOf: [
        { table: 'Logical_Switch', id: network.id },
        ...groups.map((group) => ({ table: 'Port_Group', id: group }) as const),
      ],
    },
    ...rows,
    ...qosRows(port),
  ];
}

/** A port without port security also receives packets to unknown addresses. */
function addressesOf(port: PortSpec): OvnAddress[] {
  const { macAddress, addresses, portSecurityEnabled, isVip } = port;
  // The balancer answers with a MAC of its own.
  if (isVip) return [];
  const own = ofMac(
    macAddress,
    addresses.map(({ address }) => address),
  );
  return portSecurityEnabled ? [own] : [own, UNKNOWN];
}

/** The addresses that it may send from: its own, and its allowed address pairs. */
function securedAddresses({ macAddress, addresses, addressPairs }: PortSpec): OvnAddress[] {
  const byMac = new Map([[macAddress, addresses.map(({ address }) => address)]]);
  for (const pair of addressPairs)
    byMac.set(pair.macAddress, [...(byMac.get(pair.macAddress) ?? []), pair.address]);
  return [...byMac].map(([mac, ips]) => ofMac(mac, ips));
}

/** Undefined for a row that is not a port's. */
export function statusIn(row: Row | undefined): PortStatus | undefined {
  const port = specIn<PortSpec>('port', row);
  if (!row || !port) return undefined;
  const [isUp] = row['up'] as readonly boolean[];
  const [isEnabled] = row['enabled'] as readonly boolean[];
  const isPlugged = port.host !== null || port.parent !== null;
  // Addresses of the machine itself need no switch.
  const isThere = isUp === true || port.namespace === 'host';
  return { id: port.id, isUp: isThere && isEnabled !== false && isPlugged };
}
