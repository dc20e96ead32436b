/** Guests' tap devices in the switch's network namespace. */
import { run } from '../switch-namespace.js';
import { tapOf, type PortSpec } from '../../../data-plane.js';
import type { OvsdbRows } from '../../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../../ovsdb/ovsdb-schema.js';
import { mtuIn, specIn } from '../../rows/northbound.js';

export interface TapDevice {
  readonly device: string;
  /** UID of the user who may open it. */
  readonly uid: number;
}

interface Shown {
  readonly ifname: string;
  /** Absent if everybody may open it. */
  readonly user?: number;
}

/** Only guests' devices have such names; the switch's own may be taps too. */
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

/** The devices that a hypervisor has open, which then have a carrier. @throws OvnHostError */
export async function openedIn(namespace: string): Promise<ReadonlySet<string>> {
  const links = await run('ip', ['-n', namespace, '-json', 'link', 'show']);
  const all = JSON.parse(links) as { readonly ifname: string; readonly flags: string[] }[];
  return new Set(all.filter(({ flags }) => flags.includes('LOWER_UP')).map((one) => one.ifname));
}

/** Works also while a hypervisor has it open. */
export async function removeTap(namespace: string, device: string): Promise<void> {
  await run('ip', ['-n', namespace, 'link', 'delete', 'dev', device]);
}

// Derives the devices that a host needs from the southbound database. Public source: ovn-sb(5),
// "Port_Binding".

export const SOUTHBOUND = 'OVN_Southbound';
export const BINDING_TABLES = {
  Port_Binding: ['logical_port', 'type', 'options', 'external_ids'],
} as const;

export interface WantedTap extends TapDevice {
  readonly portId: string;
  /** Bytes. */
  readonly mtu: number;
}

/** @param uid the default user who may open devices */
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

/** The names of all ports' devices, here or elsewhere. */
export function knownDevices(rows: OvsdbRows): ReadonlySet<string> {
  const ports = [...rows.of('Port_Binding').values()];
  return new Set(ports.map((row) => tapOf(row['logical_port'] as string)));
}

/** The hosts at which the port may be. */
export function hostsOf(row: Row): readonly string[] {
  const options = row['options'] as Readonly<Record<string, string>>;
  return options['requested-chassis']?.split(',') ?? [];
}
