/**
 * The network namespace in which guests of one network reach metadata on this host: one device,
 * connected to the switch, with the addresses of the network's metadata port.
 *
 * Always holds: it answers known guests only. Their addresses are bound to their MACs by static
 * neighbour entries, so the reply to a request with a spoofed address goes to the address's owner.
 */
import { createHash } from 'node:crypto';
import { METADATA_ADDRESS, METADATA_ADDRESS_V6 } from '../rows/metadata-rows.js';
import {
  addressWord,
  batch,
  deviceWord,
  ip,
  macWord,
  placedAddressWord,
} from '../host/ip-commands.js';
import type { IpCommand } from '../host/ip-commands.js';
import { inNamespace, run, setKernel } from '../host/switch-namespace.js';
import type { ServedNetwork } from './served-networks.js';

/** The parts of a host that metadata uses. */
export interface MetadataHost {
  readonly host: string;
  readonly namespace: string;
  readonly switchDatabase: string;
  readonly southbound: string;
  readonly ethtool: readonly [string, ...string[]];
}

/** The name of the namespace of a network on this host. */
export function namespaceFor({ namespace }: MetadataHost, networkId: string): string {
  return `${namespace}-${networkId}`;
}

/** Whether it is the namespace of any network on this host. */
function isNamespaceOf({ namespace }: MetadataHost, name: string): boolean {
  return name.startsWith(`${namespace}-`);
}

/** The switch's end of the veth pair; Linux allows 15 characters. */
export function deviceFor(networkId: string): string {
  return 'meta' + createHash('sha256').update(networkId).digest('hex').slice(0, 11);
}

export function isDevice(name: string): boolean {
  return /^meta[0-9a-f]{11}$/.test(name);
}

const DEVICE = 'eth0';
const OWN = deviceWord(DEVICE);
const NOWHERE = { macAddress: '02:00:00:00:00:00' };

/** Disables forwarding, and all of IPv6 but the configured addresses. */
const ALONE = [
  'echo 0 > /proc/sys/net/ipv4/ip_forward',
  // Port 80 needs no privilege in the namespace; root may lack it in a container.
  'echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start',
  ...['accept_ra 0', 'addr_gen_mode 1', 'accept_dad 0'].map((one) => {
    const [name, value] = one.split(' ');
    return `for of in all default; do echo ${value} > /proc/sys/net/ipv6/conf/$of/${name}; done`;
  }),
].join('; ');

/** Creates it without addresses. @throws OvnHostError */
export async function makeNamespace(host: MetadataHost, networkId: string): Promise<void> {
  const [name, device] = [namespaceFor(host, networkId), deviceFor(networkId)];
  await removeNamespaceOf(host, networkId);
  await run('ip', ['netns', 'add', name]);
  await setKernel(name, ALONE);
  const peer = ['type', 'veth', 'peer', 'name', DEVICE, 'netns', name];
  await run('ip', ['-n', host.namespace, 'link', 'add', device, ...peer]);
  const [ethtool, ...args] = host.ethtool;
  // The switch would receive packets without checksums if they were left to the NIC.
  await inNamespace(name, ethtool, [...args, '-K', DEVICE, 'tx', 'off']);
}

/** Does nothing if there is none. @throws OvnHostError */
export async function removeNamespaceOf(host: MetadataHost, networkId: string): Promise<void> {
  // Deleting the namespace would remove it only later.
  await run('ip', ['-n', host.namespace, 'link', 'delete', deviceFor(networkId)]).catch(
    () => undefined,
  );
  const name = namespaceFor(host, networkId);
  const names = await namespaces();
  if (names.includes(name)) await run('ip', ['netns', 'delete', name]);
}

/** Removes the namespaces of all networks, with their devices. @throws OvnHostError */
export async function removeLeftovers(host: MetadataHost): Promise<void> {
  const links = await run('ip', ['-n', host.namespace, '-json', 'link']);
  for (const { ifname } of JSON.parse(links) as { ifname: string }[])
    if (isDevice(ifname)) await run('ip', ['-n', host.namespace, 'link', 'delete', ifname]);
  for (const name of await namespaces())
    if (isNamespaceOf(host, name)) await run('ip', ['netns', 'delete', name]);
}

async function namespaces(): Promise<string[]> {
  const list = await run('ip', ['netns', 'list']);
  return list.split('\n').flatMap((line) => line.split(' ')[0] || []);
}

/** Assigns the addresses of the port, and no others. @throws OvnHostError */
export async function setAddresses(host: MetadataHost, network: ServedNetwork): Promise<void> {
  const { networkId, macAddress, mtu, addresses } = network;
  const own = addresses.map(({ address, cidr }) => placedAddressWord(address, cidr));
  const all = [...own, placedAddressWord(METADATA_ADDRESS, 32)];
  await batch(namespaceFor(host, networkId), [
    ip`link set lo up`,
    ip`link set ${OWN} down`,
    ip`link set ${OWN} address ${macWord(macAddress)} mtu ${mtu} arp off`,
    ip`addr flush dev ${OWN}`,
    ip`link set ${OWN} up`,
    ...all.map((one) => ip`addr add ${one} dev ${OWN}`),
    ip`addr add ${placedAddressWord(METADATA_ADDRESS_V6, 64)} dev ${OWN} nodad`,
  ]);
  await batch(host.namespace, [ip`link set ${deviceWord(deviceFor(networkId))} mtu ${mtu} up`]);
}

/** Binds guests' addresses to their MACs. @param before existing entries @throws OvnHostError */
export async function setNeighbours(
  host: MetadataHost,
  { networkId, guests }: Pick<ServedNetwork, 'networkId' | 'guests'>,
  before: ServedNetwork['guests'],
): Promise<void> {
  const gone = [...before.keys()].filter((address) => !guests.has(address));
  const changed = [...guests].filter(
    ([address, { macAddress }]) => before.get(address)?.macAddress !== macAddress,
  );
  await batch(namespaceFor(host, networkId), [
    // Replaced, not deleted: deleting an entry that a failed attempt already deleted would be an
    // error.
    ...[...gone.map((address) => [address, NOWHERE] as const), ...changed].map(
      ([address, { macAddress }]) => bound(address, macAddress),
    ),
    ...gone.map((address) => ip`neigh del ${addressWord(address)} dev ${OWN}`),
  ]);
}

function bound(address: string, macAddress: string): IpCommand {
  const [to, lladdr] = [addressWord(address), macWord(macAddress)];
  return ip`neigh replace ${to} lladdr ${lladdr} nud permanent dev ${OWN}`;
}
