/**
 * The network namespace of the switch and its ports. The userspace switch receives copies of
 * packets: in any other namespace the kernel would see and answer them too, past all security
 * groups. So forwarding and IPv6 are off, and the only address is that of the tunnels, for which
 * only their bridge answers.
 */
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@cumulet/common/programs/run-program';
import { OvnHostError } from './ovn-host.errors.js';

const NAMESPACES = '/run/netns';
const LIMIT_MS = 10_000;
const SILENT =
  'for of in all default; do echo 1 > /proc/sys/net/ipv6/conf/$of/disable_ipv6; done; ' +
  'cd /proc/sys/net/ipv4; echo 0 > ip_forward; echo 8 > conf/default/arp_ignore; ' +
  'for of in all default; do echo 1 > conf/$of/rp_filter; done';

/** @throws OvnHostError if this process lacks the privilege */
export async function ensureNamespace(name: string): Promise<void> {
  if (!(await isThere(name))) await run('ip', ['netns', 'add', name]);
  await run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
  await setKernel(name, SILENT);
}

/** Removes it with its devices, but for the machine's, unless guests are plugged in there. */
export async function removeNamespace(name: string): Promise<void> {
  if (!(await isThere(name)) || (await processesIn(name)).length > 0) return;
  for (const held of await heldIn(name).catch(() => [])) await giveBack(name, held);
  await run('ip', ['netns', 'delete', name]);
}

/** Those of a host: the switch's, its ports' (`name.<port>`) and metadata's (`name-<network>`). */
export async function namespacesOfHost(name: string): Promise<string[]> {
  const all = await readdir(NAMESPACES).catch(() => []);
  return all.filter(
    (one) => one === name || (/^[.-]/.test(one.slice(name.length)) && one.startsWith(name)),
  );
}

/** A device of the machine that is in a namespace. */
export interface HeldDevice {
  /** In the namespace. */
  readonly name: string;
  /** In the machine's network. */
  readonly device: string;
  /** Its IPv4 addresses there, with their prefix lengths. */
  readonly addresses: readonly string[];
  /** Bytes. */
  readonly mtu: number;
}

/** In the device's alias, since it has to come back whoever removes the namespace. */
const HELD = /^cumulet device=(\S+) addresses=(\S*)$/;

/** Moves a device of the machine into the namespace, where it has no addresses. */
export async function hold(
  namespace: string,
  { device, addresses }: Pick<HeldDevice, 'device' | 'addresses'>,
  name: string,
): Promise<void> {
  const alias = `cumulet device=${device} addresses=${addresses.join(',')}`;
  await run('ip', ['link', 'set', 'dev', device, 'alias', alias]);
  await run('ip', ['link', 'set', 'dev', device, 'netns', namespace, 'name', name]);
}

/** The devices of the machine that are in a namespace. @throws OvnHostError */
export async function heldIn(namespace: string): Promise<HeldDevice[]> {
  const links = JSON.parse(await run('ip', ['-n', namespace, '-json', 'link', 'show'])) as {
    readonly ifname: string;
    readonly ifalias?: string;
    readonly mtu: number;
  }[];
  return links.flatMap(({ ifname, ifalias = '', mtu }) => {
    const [, device, addresses = ''] = HELD.exec(ifalias) ?? [];
    if (device === undefined) return [];
    const own = addresses.split(',').filter((one) => one !== '');
    return [{ name: ifname, device, addresses: own, mtu }];
  });
}

/** Moves it back into the network of this process, with its name and addresses. */
export async function giveBack(namespace: string, held: HeldDevice): Promise<void> {
  const { name, device, addresses } = held;
  const machine = ['netns', String(process.pid), 'name', device];
  await run('ip', ['-n', namespace, 'link', 'set', 'dev', name, ...machine]);
  await run('ip', ['link', 'set', 'dev', device, 'alias', '']);
  for (const address of addresses)
    await run('ip', ['address', 'add', address, 'broadcast', '+', 'dev', device]);
  await run('ip', ['link', 'set', 'dev', device, 'up']);
}

function isThere(name: string): Promise<boolean> {
  return access(join(NAMESPACES, name)).then(
    () => true,
    () => false,
  );
}

/** @throws OvnHostError if it fails */
export async function inNamespace(
  name: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  return run('nsenter', [`--net=/run/netns/${name}`, program, ...args]);
}

/**
 * Runs shell commands that write below /proc/sys. A container has it read only; these commands find
 * it writable, in a mount namespace of their own.
 * @param name a network namespace; undefined for the machine's own
 * @throws OvnHostError if the last command fails
 */
export async function setKernel(name: string | undefined, commands: string): Promise<void> {
  const enter = name === undefined ? [] : [`--net=/run/netns/${name}`];
  // Where it is no mount, as outside of containers, it is writable.
  const script = `mount -o remount,bind,rw /proc/sys 2>/dev/null; ${commands}`;
  await run('nsenter', [...enter, 'unshare', '--mount', 'sh', '-c', script]);
}

/** @throws OvnHostError with the program's error output */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(program, args, { timeoutMs: LIMIT_MS });
  if (exitCode === 0) return stdout.toString();
  throw new OvnHostError(`${program} ${args.slice(0, 4).join(' ')} failed: ${stderr.trim()}`);
}

export async function processesIn(name: string): Promise<string[]> {
  const pids = await run('ip', ['netns', 'pids', name]).catch(() => '');
  return pids.split('\n').filter((pid) => pid !== '');
}
