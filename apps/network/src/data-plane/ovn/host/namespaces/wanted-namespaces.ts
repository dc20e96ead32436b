/**
 * Which ports of a host have a network namespace of their own, and what is to be in it, from what
 * the southbound database says of ports. Pure.
 */
import { namespaceFor, type PortSpec } from '../../../data-plane.js';
import type { OvsdbRows } from '../../../ovsdb/ovsdb-rows.js';
import { mtuIn, placedAddressesIn, specIn, type PlacedAddress } from '../../rows/northbound.js';
import { hostsOf } from '../taps/wanted-taps.js';

export interface WantedNamespace {
  readonly portId: string;
  readonly namespace: string;
  /** The switch's end of the cable. */
  readonly device: string;
  readonly macAddress: string;
  /** Bytes. */
  readonly mtu: number;
  readonly addresses: readonly PlacedAddress[];
}

const DEVICE = 'vns';

/** Linux has 15 characters for it. */
export function deviceFor(portId: string): string {
  return `${DEVICE}${portId.slice(0, 11)}`;
}

export function isDevice(name: string): boolean {
  return /^vns[0-9a-f]{8}-[0-9a-f]{2}$/.test(name);
}

/** @param namespace the switch's */
export function wantedNamespaces(
  rows: OvsdbRows,
  { host, namespace }: { readonly host: string; readonly namespace: string },
): WantedNamespace[] {
  return [...rows.of('Port_Binding').values()].flatMap((row) => {
    // Most ports have none.
    const addresses = placedAddressesIn(row);
    const mtu = mtuIn(row);
    if (!addresses || mtu === undefined || !hostsOf(row).includes(host)) return [];
    const port = specIn<PortSpec>('port', row);
    if (port?.host !== host) return [];
    const { id: portId, macAddress } = port;
    const at = { namespace: namespaceFor(namespace, portId), device: deviceFor(portId) };
    return [{ portId, ...at, macAddress, mtu, addresses }];
  });
}
