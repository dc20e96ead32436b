/**
 * A guest's network card as QEMU's arguments, and as what its monitor is told while it runs. Pure.
 *
 * Always holds: what names a device is a UUID, a number, a MAC or a name that was checked here.
 */
import { requireGuestId } from '../../ports/guest-spec.js';
import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestNic, TapCard, UserCard } from '../../network-card.js';
import type { NicModel } from '../../ports/guest-hardware.js';
import { deviceOption, listOption, type QemuArgument } from '../command-line.js';
import { userNetworkArguments, userNetworkOptions } from './user-network.js';

/** Of the PCI bus, whose first half is for everything else. */
const FIRST_SLOT = 0x10;
const SLOTS = 16;
/** Of Linux: 15 bytes, without what a path or a list would split at. */
const DEVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$/;

/** The card's place on the PCI bus; undefined for one beyond those that have places of their own. */
export function nicAddress(position: number): number | undefined {
  return position < SLOTS ? FIRST_SLOT + position : undefined;
}

/** The names of the card's two halves in QEMU: an identifier begins with a letter. */
export function nicNames(nicId: string): { readonly backend: string; readonly device: string } {
  requireGuestId(nicId);
  return { backend: `net-${nicId}`, device: `nic-${nicId}` };
}

/** @throws HypervisorError `transient` for a card that the network has not plugged in yet */
export function nicArguments(nic: GuestNic): QemuArgument[] {
  const { backend } = nicNames(nic.id);
  const device = deviceOption(deviceOf(nic));
  switch (nic.card.kind) {
    case 'isolated':
      // `restrict` isolates the guest from the host and the world; DHCP still answers it.
      return [...listOption('-netdev', 'user', { id: backend, restrict: true }), ...device];
    case 'user':
      return [...userNetworkArguments(nic.card, backend), ...device];
    case 'tap':
      return [...listOption('-netdev', 'tap', tapOf(backend, nic.card)), ...device];
    case 'unplugged':
      throw unplugged();
  }
}

/** What `netdev_add` and `device_add` are told of a card. @throws HypervisorError */
export function nicCommands(nic: GuestNic): { readonly backend: object; readonly device: object } {
  const { backend: id } = nicNames(nic.id);
  const device = deviceOf(nic);
  switch (nic.card.kind) {
    case 'isolated':
      return { backend: { type: 'user', id, restrict: true }, device };
    case 'tap':
      return { backend: { type: 'tap', ...tapOf(id, nic.card) }, device };
    case 'user':
      return { backend: userBackend(nic.card, id), device };
    case 'unplugged':
      throw unplugged();
  }
}

/** A card with forwards needs what only a start can give. */
function userBackend(card: UserCard, id: string): object {
  if (card.forwards.length > 0)
    throw new HypervisorError('not-ready', 'Such a network card is plugged in only at a start.');
  const { guestfwd: _none, ...options } = userNetworkOptions(card, id);
  return { type: 'user', ...options };
}

function tapOf(id: string, { device }: TapCard) {
  if (!DEVICE_NAME.test(device))
    throw new HypervisorError('bug', 'The device of a network card has no name that Linux knows.');
  // Segments of packets stay with the guest's kernel: the switch's is not told of them.
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
    // Of the others none can tell its guest.
    ...(model === 'virtio' ? { host_mtu: mtuOf(mtu) } : {}),
    romfile: '',
  };
}

/** Of Ethernet, by virtio 1.1, "Device configuration layout" of network devices. */
function mtuOf(mtu: number): number {
  if (Number.isSafeInteger(mtu) && mtu >= 68 && mtu <= 65_535) return mtu;
  throw new HypervisorError('bug', 'The MTU of a network card is not one of Ethernet.');
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
