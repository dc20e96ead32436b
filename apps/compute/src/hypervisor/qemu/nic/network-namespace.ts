/** The network namespace of QEMU, where it may open the switch's devices as their user. */
import { chmod, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestNic, TapLink } from '../../ports/guest-nic.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import { waitUntil } from '../../wait-until.js';
import { runProgram } from '../run-program.js';

const FOLDER = '/run/netns';
const TUN = '/dev/net/tun';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** The network makes the device soon after it announces it. */
const DEVICE_TIMEOUT_MS = 10_000;
const LIMIT_MS = 10_000;

/** @returns the namespace of the guest's machine; undefined: this process's */
export async function namespaceOf({
  nics,
  networkNamespace,
}: GuestSpec): Promise<string | undefined> {
  const names = new Set(nics.flatMap(({ link }) => (link.kind === 'tap' ? [link.namespace] : [])));
  if (names.size > 1)
    throw new HypervisorError('bug', "A server's network interfaces are in different namespaces.");
  const [name] = names;
  if (name !== undefined) return checked(name);
  // A missing one does not matter to a guest that needs none now.
  if (networkNamespace === undefined || process.geteuid?.() !== 0) return undefined;
  const isThere = await stat(join(FOLDER, checked(networkNamespace))).catch(() => undefined);
  return isThere && networkNamespace;
}

/** @returns the words before a program on its command line */
export function enter(namespace: string): string[] {
  return [`--net=${join(FOLDER, checked(namespace))}`];
}

/**
 * Opens the device of taps to all users, as udev does: without udev, as in containers, it may be
 * root's alone. Harmless, since a tap opens only for its user, and making one requires
 * CAP_NET_ADMIN (Linux, Documentation/networking/tuntap.rst).
 */
export async function openTunToAll(): Promise<void> {
  const { mode } = await stat(TUN);
  if ((mode & 0o006) !== 0o006) await chmod(TUN, 0o666);
}

/** Waits for the devices of NICs. @throws HypervisorError `transient` if they are late */
export async function requireDevices(nics: readonly GuestNic[]): Promise<void> {
  for (const { link } of nics) if (link.kind === 'tap') await requireDevice(link);
}

/** @param pid of the machine that opens it, and so must be in its namespace */
export async function requireDevice(link: TapLink, pid?: number): Promise<void> {
  if (pid !== undefined && !(await isIn(pid, link.namespace)))
    throw new HypervisorError(
      'not-ready',
      'The server was started without the network: stop and start it to attach a network interface.',
    );
  const args = ['-n', checked(link.namespace), 'link', 'show', 'dev', link.device];
  const isThere = async (): Promise<boolean> =>
    (await runProgram('ip', args, { timeoutMs: LIMIT_MS })).exitCode === 0;
  if (await waitUntil(isThere, DEVICE_TIMEOUT_MS)) return;
  throw new HypervisorError('transient', 'The device of a network interface is not there yet.');
}

async function isIn(pid: number, namespace: string): Promise<boolean> {
  const own = await readlink(`/proc/${pid}/ns/net`).catch(() => '');
  const { ino } = await stat(join(FOLDER, checked(namespace)));
  return own === `net:[${ino}]`;
}

function checked(name: string): string {
  if (NAME.test(name)) return name;
  throw new HypervisorError('bug', 'A network namespace has no name that is one of a file.');
}
