/** The devices of guests in the switch's network namespace: one end is the switch's, one a hypervisor's. */
import { run } from '../switch-namespace.js';
import { tapOf, type PortSpec } from '../../../data-plane.js';
import type { OvsdbRows } from '../../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../../ovsdb/ovsdb-schema.js';
import { mtuIn, specIn } from '../../rows/northbound.js';

export interface TapDevice {
  readonly device: string;
  /** The user who may open it. */
  readonly uid: number;
}

interface Shown {
  readonly ifname: string;
  /** Absent for one that everybody may open. */
  readonly user?: number;
}

/** Of this name are no other devices: those of the switch itself, for one, are taps too. */
const NAME = /^tap[0-9a-f]{8}-[0-9a-f]{2}$/;

/** @throws OvnHostError */
export async function tapsIn(namespace: string): Promise<TapDevice[]> {
  const shown = await run('ip', ['-n', namespace, '-json', 'tuntap', 'show']);
  const taps = shown.trim() === '' ? [] : (JSON.parse(shown) as Shown[]);
  return taps
    .filter(({ ifname }) => NAME.test(ifname))
    .map(({ ifname, user = NaN }) => ({ device: ifname, uid: user }));
}

/** @throws OvnHostError */
export async function makeTap(namespace: string, { device, uid }: TapDevice): Promise<void> {
  const owned = ['mode', 'tap', 'user', String(uid)];
  await run('ip', ['-n', namespace, 'tuntap', 'add', 'dev', device, ...owned]);
}

/** @param mtu bytes */
export async function openTap(namespace: string, device: string, mtu: number): Promise<void> {
  await run('ip', ['-n', namespace, 'link', 'set', 'dev', device, 'mtu', String(mtu), 'up']);
}

/** Also one that a hypervisor has open. */
export async function removeTap(namespace: string, device: string): Promise<void> {
  await run('ip', ['-n', namespace, 'link', 'delete', 'dev', device]);
}

// Which devices a host's guests need, from what the southbound database says of ports. Public
// source: ovn-sb(5), "Port_Binding".

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
