/**
 * The way from a physical network to this machine: a cable from its bridge to a device of the
 * machine's own, which has the address that the settings name, or none. All that is ever changed of
 * the machine's network.
 */
import { access } from 'node:fs/promises';
import type { Operation } from '../../../ovsdb/ovsdb-operation.js';
import { bridgeOf, hashOf, namespaceOf, type ChassisOptions } from '../host-settings.js';
import { inNamespace, run } from '../switch-namespace.js';
import { planDevice } from '../switch-rows.js';
import { isUplink, judge, look, removeLeftover } from './leftover-uplinks.js';
import { clashOf, type Route } from './uplink-addresses.js';
import { aliasOf, deviceOf, ownMark } from './uplink-mark.js';

export interface Uplink {
  readonly physicalNetwork: string;
  /** The machine's end. */
  readonly device: string;
  /** The switch's end. */
  readonly peer: string;
  /** Of the machine's end: routers that know it are not to be misled by the next start. */
  readonly macAddress: string;
  /** Of the machine's end, with its prefix. */
  readonly address: string | undefined;
}

/** A route for which an uplink goes without its address. */
export interface Clash extends Route {
  /** Whose it is, where another cloud has made it. */
  readonly owner?: string;
}

/** Their names are as long as Linux allows, 15, and the same at each start. */
export function uplinksOf(options: ChassisOptions): Uplink[] {
  const { folder, host, physicalNetworks, uplinkAddresses } = options;
  return physicalNetworks.map((physicalNetwork) => {
    const device = deviceOf({ folder, leadsTo: physicalNetwork });
    // 02: locally administered.
    const bytes = hashOf(folder, physicalNetwork, host).match(/../g)?.slice(0, 5) ?? [];
    return {
      physicalNetwork,
      device,
      peer: device.replace('cumulet', 'uplink'),
      macAddress: ['02', ...bytes].join(':'),
      address: uplinkAddresses.get(physicalNetwork),
    };
  });
}

/**
 * Makes it, anew if an earlier process has left it.
 * @param isUsed whether the switch goes on that used what is left: then only its address is new
 * @returns the route for which it goes without its address, if there is one
 * @throws OvnHostError if this process may not
 */
export async function makeUplink(
  options: ChassisOptions,
  uplink: Uplink,
  isUsed = false,
): Promise<Clash | undefined> {
  const { device, address } = uplink;
  if (isUsed && (await isThere(device))) await run('ip', ['address', 'flush', 'dev', device]);
  else await makeCable(options, uplink);
  await mark(options, uplink);
  if (address === undefined) return undefined;
  const clash = await clashing(address);
  if (!clash) await run('ip', ['address', 'add', address, 'dev', device]);
  return clash;
}

/** So that whoever finds it later knows whose it is. */
async function mark(
  { folder }: ChassisOptions,
  { device, physicalNetwork }: Uplink,
): Promise<void> {
  const alias = aliasOf(await ownMark(folder, physicalNetwork));
  if (alias !== undefined) await run('ip', ['link', 'set', 'dev', device, 'alias', alias]);
}

/** What is in the way of an address, once what nobody uses any more has been removed. */
async function clashing(address: string): Promise<Clash | undefined> {
  // Each look may find another cloud's, and one that was removed is not found again.
  for (;;) {
    const routes = await run('ip', ['-json', '-4', 'route', 'show', 'table', 'all']);
    const clash = clashOf(address, JSON.parse(routes) as Route[]);
    if (!isUplink(clash?.dev)) return clash;
    const seen = await look(clash.dev);
    const judgement = judge(seen);
    const isGone = await removeLeftover(seen, judgement);
    if (!isGone) return { ...clash, owner: judgement.words };
  }
}

async function makeCable(
  options: ChassisOptions,
  { device, peer, macAddress }: Uplink,
): Promise<void> {
  const namespace = namespaceOf(options.folder);
  await removeUplink({ device });
  const ends = ['address', macAddress, 'type', 'veth', 'peer', 'name', peer, 'netns', namespace];
  await run('ip', ['link', 'add', device, ...ends]);
  const [ethtool, ...args] = options.programs.commands.ethtool;
  await run(ethtool, [...args, '-K', device, 'tx', 'off']);
  // The machine is not to speak there by itself.
  await run('sh', ['-c', 'echo 1 > "/proc/sys/net/ipv6/conf/$0/disable_ipv6"', device]);
  await run('ip', ['link', 'set', device, 'up']);
  await inNamespace(namespace, 'ip', ['link', 'set', peer, 'up']);
}

function isThere(device: string): Promise<boolean> {
  return access(`/sys/class/net/${device}`).then(
    () => true,
    () => false,
  );
}

/** With its namespace it would go only some time later. */
export async function removeUplink({ device }: Pick<Uplink, 'device'>): Promise<void> {
  await run('ip', ['link', 'delete', 'dev', device]).catch(() => undefined);
}

/** The operations on the host's own database that plug it into its bridge. */
export function planUplink({ physicalNetwork, peer }: Uplink): Operation[] {
  return planDevice(bridgeOf(physicalNetwork), peer);
}
