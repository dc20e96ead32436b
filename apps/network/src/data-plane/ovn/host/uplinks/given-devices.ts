/**
 * A device of the machine that leads to a physical network, given to the switch: it moves into the
 * switch's namespace, where a bridge of the kernel and a veth pair connect it. The switch does not
 * read the device itself, since senders on this machine, such as containers or the bridge of
 * Docker, leave checksums and the cutting of large packets to a NIC: the kernel catches up on both
 * as a packet leaves the bridge by the veth pair.
 */
import { contains, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import { SettingError } from '@cumulet/common/config/settings';
import { namespaceOf, type ChassisOptions } from '../host-settings.js';
import { giveBack, heldIn, hold, inNamespace, run, type HeldDevice } from '../switch-namespace.js';

type MachineDevice = Pick<HeldDevice, 'device' | 'addresses'>;

interface GivenUplink {
  readonly physicalNetwork: string;
  /** The end of the veth pair in the bridge. */
  readonly device: string;
  /** The switch's end. */
  readonly peer: string;
  /** Undefined if the network has no device of the machine. */
  readonly given: string | undefined;
}

/** Whether the setting means this device. */
export function isMeant(given: string, { device, addresses }: MachineDevice): boolean {
  const cidr = parseCidr(given);
  if (!cidr) return device === given;
  return addresses.some((address) => {
    const ip = parseIp(address.split('/')[0] ?? '');
    return ip !== undefined && contains(cidr, ip);
  });
}

/**
 * Moves the device into the switch's namespace and connects it, unless an earlier process did.
 * @throws SettingError if the machine has no such device
 * @throws OvnHostError if this process lacks the privilege
 */
export async function takeDevice(options: ChassisOptions, uplink: GivenUplink): Promise<void> {
  const namespace = namespaceOf(options.folder);
  const { device: cable, peer } = uplink;
  const { held: name, bridge } = partsOf(uplink);
  const isThere = (part: string) => has(namespace, part);
  if (!(await isThere(name))) await hold(namespace, await findDevice(uplink), name);
  const mtu = (await heldIn(namespace)).find((one) => one.name === name)?.mtu ?? 0;
  const inSwitch = (...args: readonly string[]) => run('ip', ['-n', namespace, 'link', ...args]);
  if (!(await isThere(bridge)))
    await inSwitch('add', bridge, 'type', 'bridge', 'stp_state', '0', 'mcast_snooping', '0');
  if (!(await isThere(cable))) {
    const size = ['mtu', String(mtu)];
    // A pair of an earlier process may lead into the machine's network.
    await run('ip', ['link', 'delete', 'dev', cable]).catch(() => undefined);
    await inSwitch('add', cable, ...size, 'type', 'veth', 'peer', 'name', peer, ...size);
  }
  const [ethtool, ...args] = options.programs.commands.ethtool;
  await inNamespace(namespace, ethtool, [...args, '-K', cable, 'tx', 'off']);
  for (const end of [name, cable]) await inSwitch('set', end, 'master', bridge, 'up');
  for (const end of [bridge, peer]) await inSwitch('set', end, 'up');
}

/** Gives back the devices of an earlier process that the settings no longer mean. */
export async function returnDevices(
  namespace: string,
  uplinks: readonly GivenUplink[],
): Promise<void> {
  for (const held of await heldIn(namespace)) {
    const wanted = uplinks.find((uplink) => partsOf(uplink).held === held.name);
    if (wanted?.given !== undefined && isMeant(wanted.given, held)) continue;
    const of = held.name.replace('device', '');
    for (const part of [`cumulet${of}`, `bridge${of}`])
      await run('ip', ['-n', namespace, 'link', 'delete', 'dev', part]).catch(() => undefined);
    await giveBack(namespace, held);
  }
}

/** Their names in the switch's namespace. */
function partsOf({ device }: Pick<GivenUplink, 'device'>) {
  return {
    held: device.replace('cumulet', 'device'),
    bridge: device.replace('cumulet', 'bridge'),
  };
}

async function findDevice({ physicalNetwork, given = '' }: GivenUplink): Promise<MachineDevice> {
  const links = JSON.parse(await run('ip', ['-json', '-4', 'address', 'show'])) as {
    readonly ifname: string;
    readonly addr_info: readonly { readonly local: string; readonly prefixlen: number }[];
  }[];
  const devices = links.map(({ ifname, addr_info }) => ({
    device: ifname,
    addresses: addr_info.map(({ local, prefixlen }) => `${local}/${prefixlen}`),
  }));
  const found = devices.find((one) => isMeant(given, one));
  if (found) return found;
  const what = given.includes('/') ? `with an address of ${given}` : given;
  throw new SettingError(
    `NETWORK_PHYSICAL_DEVICES gives the physical network ${physicalNetwork} the device ${what}, which this host does not have`,
  );
}

function has(namespace: string, device: string): Promise<boolean> {
  return run('ip', ['-n', namespace, 'link', 'show', 'dev', device]).then(
    () => true,
    () => false,
  );
}
