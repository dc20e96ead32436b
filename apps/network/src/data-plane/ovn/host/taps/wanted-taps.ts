/**
 * Which devices a host's guests need, from what the southbound database says of ports. Public
 * source: ovn-sb(5), "Port_Binding".
 */
import { tapOf, type PortSpec } from '../../../data-plane.js';
import type { OvsdbRows } from '../../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../../ovsdb/ovsdb-schema.js';
import { mtuIn, specIn } from '../../rows/northbound.js';
import type { TapDevice } from './tap-devices.js';

export const SOUTHBOUND = 'OVN_Southbound';
export const BINDING_TABLES = {
  Port_Binding: ['logical_port', 'type', 'options', 'external_ids'],
} as const;

export interface WantedTap extends TapDevice {
  readonly portId: string;
  /** Bytes. */
  readonly mtu: number;
}

/** @param uid the user who may open it where the port does not say */
export function wantedTaps(
  rows: OvsdbRows,
  { host, uid }: { readonly host: string; readonly uid: number },
): WantedTap[] {
  return [...rows.of('Port_Binding').values()].flatMap((row) => {
    const port = specIn<PortSpec>('port', row);
    const mtu = mtuIn(row);
    if (!port || mtu === undefined) return [];
    const at = [{ host: port.host, tap: port.tap }, ...port.prepared];
    const { tap } = at.find((one) => one.host === host) ?? {};
    if (!tap || !hostsOf(row).includes(host)) return [];
    return [{ portId: port.id, device: tapOf(port.id), uid: tap.uid ?? uid, mtu }];
  });
}

/** The hosts at which the port may be. */
export function hostsOf(row: Row): readonly string[] {
  const options = row['options'] as Readonly<Record<string, string>>;
  return options['requested-chassis']?.split(',') ?? [];
}
