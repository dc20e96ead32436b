/**
 * Connects a physical network to this machine: a veth pair from its bridge to a device in the
 * machine's network, which has the configured address, if any. Nothing else of the machine's
 * network is changed, unless a device of it is given to the switch instead.
 */
import { access } from 'node:fs/promises';
import type { Operation } from '../../../ovsdb/ovsdb-operation.js';
import { bridgeOf, hashOf, namespaceOf, type ChassisOptions } from '../host-settings.js';
import { inNamespace, run, setKernel } from '../switch-namespace.js';
import { planDevice } from '../switch-rows.js';
import { takeDevice } from './given-devices.js';
import { isUplink, judge, inspectUplink, removeLeftover } from './leftover-uplinks.js';
import { clashOf, type Route } from './uplink-settings.js';
import { aliasOf, deviceOf, ownMark } from './uplink-mark.js';

export interface Uplink {
  readonly physicalNetwork: string;
  /** The machine's end. */
  readonly device: string;
  /** The switch's end. */
  readonly peer: string;
  /** Of the machine's end. It is the same after each start, since routers cache it. */
  readonly macAddress: string;
  /** Of the machine's end, with its prefix length. */
  readonly address: string | undefined;
  /** The device of the machine that leads there instead, as the setting names it. */
  readonly given: string | undefined;
}

/** A route that keeps an uplink from getting its address. */
export interface Clash extends Route {
  /** The cloud that created the route's device, if any. */
  readonly owner?: string;
}

/** Names have 15 characters, Linux's limit, and are the same after each start. */
export function uplinksOf(options: ChassisOptions): Uplink[] {
  const { folder, host, physicalNetworks, uplinkAddresses, physicalDevices } = options;
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
      given: physicalDevices?.get(physicalNetwork),
    };
  });
}

/**
 * Creates it, replacing one that an earlier process has left.
 * @param isUsed whether an adopted switch uses the existing one, so that only its address is
 * replaced
 * @returns the route that keeps it from getting its address, if any
 * @throws SettingError if a given device does not exist
 * @throws OvnHostError if this process lacks the privilege
 */
export async function makeUplink(
  options: ChassisOptions,
  uplink: Uplink,
  isUsed = false,
): Promise<Clash | undefined> {
  const { device, address, given } = uplink;
  if (given !== undefined) {
    await takeDevice(options, uplink);
    return undefined;
  }
  if (isUsed && (await isThere(device))) await run('ip', ['address', 'flush', 'dev', device]);
  else await makeCable(options, uplink);
  await mark(options, uplink);
  if (address === undefined) return undefined;
  const clash = await clashing(address);
  if (!clash) await run('ip', ['address', 'add', address, 'dev', device]);
  return clash;
}

async function mark(
  { folder }: ChassisOptions,
  { device, physicalNetwork }: Uplink,
): Promise<void> {
  const alias = aliasOf(await ownMark(folder, physicalNetwork));
  if (alias !== undefined) await run('ip', ['link', 'set', 'dev', device, 'alias', alias]);
}

/** @returns the conflicting route that remains after unused uplinks have been removed */
async function clashing(address: string): Promise<Clash | undefined> {
  // Each round may find another cloud's uplink; removed ones are not found again.
  for (;;) {
    const routes = await run('ip', ['-json', '-4', 'route', 'show', 'table', 'all']);
    const clash = clashOf(address, JSON.parse(routes) as Route[]);
    if (!isUplink(clash?.dev)) return clash;
    const seen = await inspectUplink(clash.dev);
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
  // The machine must not send by itself there.
  await setKernel(undefined, `echo 1 > /proc/sys/net/ipv6/conf/${device}/disable_ipv6`);
  await run('ip', ['link', 'set', device, 'up']);
  await inNamespace(namespace, 'ip', ['link', 'set', peer, 'up']);
}

function isThere(device: string): Promise<boolean> {
  return access(`/sys/class/net/${device}`).then(
    () => true,
    () => false,
  );
}

/** Deleting the namespace would remove it only later. */
export async function removeUplink({ device }: Pick<Uplink, 'device'>): Promise<void> {
  await run('ip', ['link', 'delete', 'dev', device]).catch(() => undefined);
}

/** Operations on the host's own database that plug it into its bridge. */
export function planUplink({ physicalNetwork, peer }: Uplink): Operation[] {
  return planDevice(bridgeOf(physicalNetwork), peer);
}
