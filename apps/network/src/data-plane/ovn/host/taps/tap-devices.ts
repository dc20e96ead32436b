/** The devices of guests in the switch's network namespace: one end is the switch's, one a hypervisor's. */
import { run } from '../switch-namespace.js';

export interface TapDevice {
  readonly device: string;
  /** The user who may open it. */
  readonly uid: number;
}

interface Shown {
  readonly ifname: string;
  /** Absent for one that everybody may open. */
  readonly user?: number;
}

/** Of this name are no other devices: those of the switch itself, for one, are taps too. */
const NAME = /^tap[0-9a-f]{8}-[0-9a-f]{2}$/;

/** @throws OvnHostError */
export async function tapsIn(namespace: string): Promise<TapDevice[]> {
  const shown = await run('ip', ['-n', namespace, '-json', 'tuntap', 'show']);
  const taps = shown.trim() === '' ? [] : (JSON.parse(shown) as Shown[]);
  return taps
    .filter(({ ifname }) => NAME.test(ifname))
    .map(({ ifname, user = NaN }) => ({ device: ifname, uid: user }));
}

/** @throws OvnHostError */
export async function makeTap(namespace: string, { device, uid }: TapDevice): Promise<void> {
  const owned = ['mode', 'tap', 'user', String(uid)];
  await run('ip', ['-n', namespace, 'tuntap', 'add', 'dev', device, ...owned]);
}

/** @param mtu bytes */
export async function openTap(namespace: string, device: string, mtu: number): Promise<void> {
  await run('ip', ['-n', namespace, 'link', 'set', 'dev', device, 'mtu', String(mtu), 'up']);
}

/** Also one that a hypervisor has open. */
export async function removeTap(namespace: string, device: string): Promise<void> {
  await run('ip', ['-n', namespace, 'link', 'delete', 'dev', device]);
}
