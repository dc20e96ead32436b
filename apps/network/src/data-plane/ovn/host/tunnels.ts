/**
 * The underlay of a host's tunnels. The switch encapsulates packets itself and sends them from a
 * bridge in its namespace, which has the tunnel address; a device connects the bridge to a device
 * of the machine, which stays unchanged. Public source: Open vSwitch, "Userspace Tunneling".
 */
import { access } from 'node:fs/promises';
import type { ChassisOptions, Tunnel } from './host-settings.js';
import { hashOf, namespaceOf } from './host-settings.js';
import { inNamespace, run, setKernel } from './switch-namespace.js';

export const TUNNEL_BRIDGE = 'br-phy';
/** In the switch's namespace. */
export const UNDERLAY = 'underlay';

/** Of both the bridge and the device, so that packets to the one arrive at the other. */
export function tunnelMac({ folder, host }: ChassisOptions): string {
  // 02: locally administered.
  const bytes = hashOf(folder, 'tunnels', host).match(/../g)?.slice(0, 5) ?? [];
  return ['02', ...bytes].join(':');
}

/**
 * Creates it, replacing one that an earlier process has left.
 * @throws OvnHostError if the device of the machine does not exist, or this process lacks the
 * privilege
 */
export async function makeUnderlay(options: ChassisOptions, { device }: Tunnel): Promise<void> {
  const namespace = namespaceOf(options.folder);
  await removeUnderlay(options);
  const mac = tunnelMac(options);
  if (await isBridge(device)) {
    const cable = cableOf(options);
    const ends = ['type', 'veth', 'peer', 'name', UNDERLAY, 'address', mac, 'netns', namespace];
    await run('ip', ['link', 'add', cable, ...ends]);
    const [ethtool, ...args] = options.programs.commands.ethtool;
    await run(ethtool, [...args, '-K', cable, 'tx', 'off']);
    await run('ip', ['link', 'set', cable, 'master', device, 'up']);
  } else {
    const own = ['name', UNDERLAY, 'address', mac, 'netns', namespace];
    await run('ip', ['link', 'add', 'link', device, ...own, 'type', 'macvlan', 'mode', 'bridge']);
  }
  await inNamespace(namespace, 'ip', ['link', 'set', UNDERLAY, 'up']);
}

export async function removeUnderlay(options: ChassisOptions): Promise<void> {
  const none = (): undefined => undefined;
  await run('ip', ['link', 'delete', 'dev', cableOf(options)]).catch(none);
  const namespace = namespaceOf(options.folder);
  await inNamespace(namespace, 'ip', ['link', 'delete', 'dev', UNDERLAY]).catch(none);
}

/** Assigns a new bridge its address, the only one that the namespace answers for. */
export async function addressTunnels(options: ChassisOptions, { address }: Tunnel): Promise<void> {
  const namespace = namespaceOf(options.folder);
  const answering = `echo 0 > /proc/sys/net/ipv4/conf/${TUNNEL_BRIDGE}/arp_ignore`;
  await setKernel(namespace, answering);
  await inNamespace(namespace, 'ip', ['address', 'replace', address, 'dev', TUNNEL_BRIDGE]);
  await inNamespace(namespace, 'ip', ['link', 'set', TUNNEL_BRIDGE, 'up']);
}

/** The machine's end, if the underlay is a bridge. */
function cableOf({ folder }: ChassisOptions): string {
  return `cumulet${hashOf(folder, 'tunnels').slice(0, 8)}`;
}

function isBridge(device: string): Promise<boolean> {
  return access(`/sys/class/net/${device}/bridge`).then(
    () => true,
    () => false,
  );
}
