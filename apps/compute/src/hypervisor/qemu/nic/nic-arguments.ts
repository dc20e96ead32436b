/**
 * A guest's NIC as QEMU's arguments, and as monitor commands while it runs. Pure.
 *
 * Always holds: only UUIDs, numbers, MACs and checked names name a device.
 */
import { requireGuestId } from '../../ports/guest-spec.js';
import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestNic, TapLink, UserLink } from '../../ports/guest-nic.js';
import type { NicModel } from '../../ports/guest-hardware.js';
import { deviceOption, listOption, type QemuArgument } from '../command-line.js';
import { userNetworkArguments, userNetworkOptions } from './user-network.js';

/** NICs have the second half of the PCI bus. */
const FIRST_SLOT = 0x10;
const SLOTS = 16;
/** Linux's: 15 bytes, without the separators of paths and lists. */
const DEVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$/;

/** The NIC's place on the PCI bus; undefined beyond the places that there are. */
export function nicAddress(position: number): number | undefined {
  return position < SLOTS ? FIRST_SLOT + position : undefined;
}

/** The NIC's two halves in QEMU, whose identifiers begin with a letter. */
export function nicNames(nicId: string): { readonly backend: string; readonly device: string } {
  requireGuestId(nicId);
  return { backend: `net-${nicId}`, device: `nic-${nicId}` };
}

/** @throws HypervisorError `transient` if the network has not plugged it in yet */
export function nicArguments(nic: GuestNic): QemuArgument[] {
  const { backend } = nicNames(nic.id);
  const device = deviceOption(deviceOf(nic));
  switch (nic.link.kind) {
    case 'isolated':
      // `restrict` isolates the guest from the host and the world; DHCP still answers it.
      return [...listOption('-netdev', 'user', { id: backend, restrict: true }), ...device];
    case 'user':
      return [...userNetworkArguments(nic.link, backend), ...device];
    case 'tap':
      return [...listOption('-netdev', 'tap', tapOf(backend, nic.link)), ...device];
    case 'unplugged':
      throw unplugged();
  }
}

/** Arguments of `netdev_add` and `device_add`. @throws HypervisorError */
export function nicCommands(nic: GuestNic): { readonly backend: object; readonly device: object } {
  const { backend: id } = nicNames(nic.id);
  const device = deviceOf(nic);
  switch (nic.link.kind) {
    case 'isolated':
      return { backend: { type: 'user', id, restrict: true }, device };
    case 'tap':
      return { backend: { type: 'tap', ...tapOf(id, nic.link) }, device };
    case 'user':
      return { backend: userBackend(nic.link, id), device };
    case 'unplugged':
      throw unplugged();
  }
}

/** A NIC with forwards requires a start. */
function userBackend(link: UserLink, id: string): object {
  if (link.forwards.length > 0)
    throw new HypervisorError(
      'not-ready',
      'Such a network interface is plugged in only at a start.',
    );
  const { guestfwd: _none, ...options } = userNetworkOptions(link, id);
  return { type: 'user', ...options };
}

function tapOf(id: string, { device }: TapLink) {
  if (!DEVICE_NAME.test(device))
    throw new HypervisorError(
      'bug',
      'The device of a network interface has no name that Linux knows.',
    );
  // Without headers, the guest's kernel segments packets, not the switch's.
  return { id, ifname: device, script: 'no', downscript: 'no', vnet_hdr: false };
}

const DRIVERS: Readonly<Record<NicModel, string>> = {
  virtio: 'virtio-net-pci',
  e1000: 'e1000',
  e1000e: 'e1000e',
  rtl8139: 'rtl8139',
  pcnet: 'pcnet',
  vmxnet3: 'vmxnet3',
};

function deviceOf({ id, macAddress, mtu, position, model = 'virtio' }: GuestNic) {
  const { backend, device } = nicNames(id);
  const slot = nicAddress(position);
  return {
    driver: DRIVERS[model],
    id: device,
    netdev: backend,
    mac: macAddressOf(macAddress),
    ...(slot === undefined ? {} : { addr: `0x${slot.toString(16)}` }),
    // The other models cannot report it to their guest.
    ...(model === 'virtio' ? { host_mtu: mtuOf(mtu) } : {}),
    romfile: '',
  };
}

/** Ethernet's, by virtio 1.1, "Device configuration layout" of network devices. */
function mtuOf(mtu: number): number {
  if (Number.isSafeInteger(mtu) && mtu >= 68 && mtu <= 65_535) return mtu;
  throw new HypervisorError('bug', 'The MTU of a network interface is not one of Ethernet.');
}

function unplugged(): HypervisorError {
  return new HypervisorError(
    'transient',
    'The network has not plugged a port of the server in on its host.',
  );
}

const MAC_ADDRESS = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** @throws HypervisorError `bug` unless it is one */
function macAddressOf(text: string): string {
  if (MAC_ADDRESS.test(text)) return text;
  throw new HypervisorError('bug', 'A MAC address is malformed.');
}
