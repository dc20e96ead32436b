/**
 * The way from a physical network to this machine: a cable from its bridge to a device of the
 * machine's own, which has no address until somebody gives it one. All that is ever changed of the
 * machine's network.
 */
import { createHash } from 'node:crypto';
import type { Operation } from '../../ovsdb/ovsdb-operation.js';
import { bridgeOf, namespaceOf, type OvnHostOptions } from './host-settings.js';
import { inNamespace, run } from './switch-namespace.js';
import { planDevice } from './switch-rows.js';

export interface Uplink {
  readonly physicalNetwork: string;
  /** The machine's end. */
  readonly device: string;
  /** The switch's end. */
  readonly peer: string;
}

/** Their names are as long as Linux allows, 15, and the same at each start. */
export function uplinksOf({ folder, physicalNetworks }: OvnHostOptions): Uplink[] {
  return physicalNetworks.map((physicalNetwork) => {
    const hash = createHash('sha256').update(`${folder}\0${physicalNetwork}`).digest('hex');
    const key = hash.slice(0, 8);
    return { physicalNetwork, device: `cumulet${key}`, peer: `uplink${key}` };
  });
}

/** @throws OvnHostError if this process may not */
export async function ensureUplink(options: OvnHostOptions, uplink: Uplink): Promise<void> {
  const { device, peer } = uplink;
  const namespace = namespaceOf(options.folder);
  const isThere = await run('ip', ['link', 'show', 'dev', device]).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const other = ['peer', 'name', peer, 'netns', namespace];
    await run('ip', ['link', 'add', device, 'type', 'veth', ...other]);
  }
  const [ethtool, ...args] = options.programs.commands.ethtool;
  await run(ethtool, [...args, '-K', device, 'tx', 'off']);
  // The machine is not to speak there by itself.
  await run('sh', ['-c', 'echo 1 > "/proc/sys/net/ipv6/conf/$0/disable_ipv6"', device]);
  await run('ip', ['link', 'set', device, 'up']);
  await inNamespace(namespace, 'ip', ['link', 'set', peer, 'up']);
}

/** With its namespace it would go only some time later. */
export async function removeUplink({ device }: Uplink): Promise<void> {
  await run('ip', ['link', 'delete', 'dev', device]).catch(() => undefined);
}

/** The operations on the host's own database that plug it into its bridge. */
export function planUplink({ physicalNetwork, peer }: Uplink): Operation[] {
  return planDevice(bridgeOf(physicalNetwork), peer);
}
