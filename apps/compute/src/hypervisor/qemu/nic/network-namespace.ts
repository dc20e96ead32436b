/**
 * The network namespace that QEMU runs in, where the switch's devices are. Opening a device needs
 * QEMU to be in its namespace; being its user is enough then.
 */
import { chmod, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestNic, TapCard } from '../../network-card.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import { waitUntil } from '../../wait-until.js';
import { runProgram } from '../run-program.js';

const FOLDER = '/run/netns';
const TUN = '/dev/net/tun';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** The network makes the device soon after it has said that it will. */
const DEVICE_TIMEOUT_MS = 10_000;
const LIMIT_MS = 10_000;

/** @returns the namespace that the guest's machine runs in; undefined for that of this process */
export async function namespaceOf({
  nics,
  networkNamespace,
}: GuestSpec): Promise<string | undefined> {
  const names = new Set(nics.flatMap(({ card }) => (card.kind === 'tap' ? [card.namespace] : [])));
  if (names.size > 1)
    throw new HypervisorError('bug', "A server's network cards are in different namespaces.");
  const [name] = names;
  if (name !== undefined) return checked(name);
  // One that is not there is of no use to a guest that needs none now.
  if (networkNamespace === undefined || process.geteuid?.() !== 0) return undefined;
  const isThere = await stat(join(FOLDER, checked(networkNamespace))).catch(() => undefined);
  return isThere && networkNamespace;
}

/** @returns how a program is started in there: what comes before it on its command line */
export function enter(namespace: string): string[] {
  return [`--net=${join(FOLDER, checked(namespace))}`];
}

/**
 * Lets every user open the device through which taps are opened, as udev does: where there is no udev,
 * as in containers, it may be root's alone. There is no harm in it, since a tap is opened by its own
 * user, and none is made without CAP_NET_ADMIN (Linux, Documentation/networking/tuntap.rst).
 */
export async function openTunToAll(): Promise<void> {
  const { mode } = await stat(TUN);
  if ((mode & 0o006) !== 0o006) await chmod(TUN, 0o666);
}

/** Waits until the devices of the cards are there. @throws HypervisorError `transient` if not in time */
export async function requireDevices(nics: readonly GuestNic[]): Promise<void> {
  for (const { card } of nics) if (card.kind === 'tap') await requireDevice(card);
}

/**
 * As `requireDevices`, of one.
 * @param pid of a machine that is to open it, and so must be in its namespace
 */
export async function requireDevice(card: TapCard, pid?: number): Promise<void> {
  if (pid !== undefined && !(await isIn(pid, card.namespace)))
    throw new HypervisorError(
      'not-ready',
      'The server was started without the network: stop and start it to attach a network card.',
    );
  const args = ['-n', checked(card.namespace), 'link', 'show', 'dev', card.device];
  const isThere = async (): Promise<boolean> =>
    (await runProgram('ip', args, { timeoutMs: LIMIT_MS })).exitCode === 0;
  if (await waitUntil(isThere, DEVICE_TIMEOUT_MS)) return;
  throw new HypervisorError('transient', 'The device of a network card is not there yet.');
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
