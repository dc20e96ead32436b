/**
 * The network namespace of one port, for a program of the host that uses the port's addresses and
 * nothing else of the machine's network. Each function may be repeated after a crash.
 */
import { readdir } from 'node:fs/promises';
import { NAMESPACE_DEVICE, namespaceFor, type PortSpec } from '../../../data-plane.js';
import {
  batch,
  destinationWord,
  deviceWord,
  FAMILIES,
  ip,
  macWord,
  placedAddressWord,
  tableWord,
} from '../ip-commands.js';
import type { IpCommand } from '../ip-commands.js';
import { inNamespace, run, setKernel } from '../switch-namespace.js';
import { FIRST_RULE, LAST_RULE, routingOf } from './routes.js';
import type { OvsdbRows } from '../../../ovsdb/ovsdb-rows.js';
import { mtuIn, placedAddressesIn, specIn, type PlacedAddress } from '../../rows/northbound.js';
import { hostsOf } from '../taps/tap-devices.js';

/** A port of this host with a network namespace of its own. */
export interface WantedNamespace {
  readonly portId: string;
  readonly namespace: string;
  /** The switch's end of the veth pair. */
  readonly device: string;
  readonly macAddress: string;
  /** Bytes. */
  readonly mtu: number;
  readonly addresses: readonly PlacedAddress[];
}

const DEVICE = 'vns';

/** Linux allows 15 characters. */
function deviceFor(portId: string): string {
  return `${DEVICE}${portId.slice(0, 11)}`;
}

function isDevice(name: string): boolean {
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

const OWN = deviceWord(NAMESPACE_DEVICE);
const FOLDER = '/run/netns';

/**
 * Disables forwarding, and all of IPv6 but the configured addresses. Programs may bind to addresses
 * that do not exist yet, since addresses may change while they run.
 */
const ALONE = [
  'cd /proc/sys/net',
  'echo 0 > ipv4/ip_forward',
  'echo 1 > ipv4/ip_nonlocal_bind',
  'echo 1 > ipv6/ip_nonlocal_bind',
  'echo 1 > ipv4/conf/all/promote_secondaries',
  // Ports below 1024 need no privilege in the namespace.
  'echo 0 > ipv4/ip_unprivileged_port_start',
  ...['accept_ra 0', 'addr_gen_mode 1', 'accept_dad 0'].map((one) => {
    const [name, value] = one.split(' ');
    return `for of in all default; do echo ${value} > ipv6/conf/$of/${name}; done`;
  }),
].join('; ');

/** @param namespace the switch's @returns the names of its ports' namespaces */
export async function namespacesOf(namespace: string): Promise<string[]> {
  const names = await readdir(FOLDER).catch(() => []);
  return names.filter((name) => name.startsWith(`${namespace}.`));
}

/** The switch's ends of veth pairs. @throws OvnHostError */
export async function devicesIn(namespace: string): Promise<string[]> {
  const links = JSON.parse(await run('ip', ['-n', namespace, '-json', 'link'])) as {
    ifname: string;
  }[];
  return links.map(({ ifname }) => ifname).filter(isDevice);
}

/**
 * Creates the namespace and its veth pair, both ends down.
 * @param isKnown whether a namespace of its name exists
 * @throws OvnHostError
 */
export async function makeNamespace(
  inSwitch: string,
  { namespace, device, mtu }: WantedNamespace,
  [ethtool, ...args]: readonly [string, ...string[]],
  isKnown: boolean,
): Promise<void> {
  const isThere = isKnown && (await isWhole(namespace));
  // After a crash, only its name may be left.
  if (isKnown && !isThere) await run('ip', ['netns', 'delete', namespace]);
  if (!isThere) await run('ip', ['netns', 'add', namespace]);
  await setKernel(namespace, ALONE);
  const peer = ['peer', 'name', NAMESPACE_DEVICE, 'netns', namespace];
  const cable = ['link', 'add', device, 'mtu', String(mtu), 'type', 'veth', ...peer];
  await run('ip', ['-n', inSwitch, ...cable]);
  // The switch would receive packets without checksums if they were left to the NIC.
  await inNamespace(namespace, ethtool, [...args, '-K', NAMESPACE_DEVICE, 'tx', 'off']);
}

/**
 * Sets the port's addresses and routes and removes all others.
 * @param isNew whether the namespace has none yet
 * @throws OvnHostError
 */
export async function configure(
  inSwitch: string,
  wanted: WantedNamespace,
  isNew: boolean,
): Promise<void> {
  const { namespace, device, macAddress, mtu } = wanted;
  const { addresses, routes, rules } = routingOf(wanted.addresses);
  const shown = isNew ? [] : await addressesIn(namespace);
  await batch(namespace, [
    ip`link set lo up`,
    ip`link set ${OWN} address ${macWord(macAddress)} mtu ${mtu} up`,
    ...addresses.map((one) =>
      one.includes(':')
        ? ip`addr replace ${one} dev ${OWN} nodad`
        : ip`addr replace ${one} dev ${OWN}`,
    ),
    ...shown.filter((one) => !addresses.includes(one)).map((one) => ip`addr del ${one} dev ${OWN}`),
  ]);
  if (!isNew) await batch(namespace, await surplus(namespace, routes));
  await batch(namespace, [...routes, ...rules]);
  await run('ip', ['-n', inSwitch, 'link', 'set', device, 'mtu', String(mtu), 'up']);
}

/** A program in it keeps the namespace, without a name or connection. @throws OvnHostError */
export async function removeNamespace(namespace: string): Promise<void> {
  await run('ip', ['netns', 'delete', namespace]);
}

async function isWhole(namespace: string): Promise<boolean> {
  return run('ip', ['-n', namespace, 'link', 'show', 'lo']).then(
    () => true,
    () => false,
  );
}

async function addressesIn(namespace: string) {
  const text = await run('ip', ['-n', namespace, '-json', 'addr', 'show', NAMESPACE_DEVICE]);
  const [link] = JSON.parse(text) as {
    addr_info: readonly { local: string; prefixlen: number; scope: string }[];
  }[];
  return (link?.addr_info ?? [])
    .filter(({ scope }) => scope === 'global')
    .map(({ local, prefixlen }) => placedAddressWord(local, prefixlen));
}

/** Commands that remove all rules, which are few, and the routes that are not wanted. */
async function surplus(namespace: string, routes: readonly IpCommand[]): Promise<IpCommand[]> {
  const lines: IpCommand[] = [];
  for (const family of Object.values(FAMILIES)) {
    const rules = JSON.parse(await run('ip', ['-n', namespace, family, '-json', 'rule'])) as {
      priority: number;
    }[];
    for (const { priority } of rules)
      if (priority >= FIRST_RULE && priority <= LAST_RULE)
        lines.push(ip`${family} rule del pref ${priority}`);
    const all = ['route', 'show', 'table', 'all', 'proto', 'static'];
    const shown = JSON.parse(await run('ip', ['-n', namespace, family, '-json', ...all])) as {
      dst: string;
      table?: string;
    }[];
    for (const { dst, table = 'main' } of shown) {
      const isWanted = routes.some((one) => {
        const words = one.split(' ');
        const at = words.indexOf('table');
        const own = at < 0 ? 'main' : words[at + 1];
        return words[0] === family && words[3] === dst && own === table;
      });
      if (!isWanted)
        lines.push(ip`${family} route del ${destinationWord(dst)} table ${tableWord(table)}`);
    }
  }
  return lines;
}
