/** A guest's board, screen and small devices as QEMU's arguments. Pure. */
import type { GuestHardware, VideoModel } from '../../ports/guest-hardware.js';
import {
  blockdevOption,
  deviceOption,
  listOption,
  textOption,
  type QemuArgument,
} from '../command-line.js';
import { CONSOLE_DEVICE } from '../console/guest-console.js';
import { AGENT_SOCKET, DISPLAY_SOCKET, UEFI_VARIABLES } from '../guest-folder.js';
import type { UefiFirmware } from './uefi-firmware.js';

/** The last of the PCI bus's first half; NICs have the second. */
const SCREEN_SLOT = '0xf';

export function board({ machine, bootMenu, firmware }: GuestHardware): QemuArgument[] {
  const flash = firmware === 'uefi' ? { pflash0: 'uefi-code', pflash1: 'uefi-variables' } : {};
  // A sleeping machine would neither run nor accept commands.
  const power = machine.includes('q35') ? 'ICH9-LPC' : 'PIIX4_PM';
  return [
    ...listOption('-machine', machine, { usb: false, 'dump-guest-core': false, ...flash }),
    ...listOption('-rtc', undefined, { base: 'utc' }),
    ...listOption('-boot', undefined, { strict: true, menu: bootMenu || undefined }),
    ...listOption('-global', undefined, { [`${power}.disable_s3`]: 1 }),
    ...listOption('-global', undefined, { [`${power}.disable_s4`]: 1 }),
  ];
}

export function firmware(uefi: UefiFirmware): QemuArgument[] {
  const code = {
    'node-name': 'uefi-code',
    driver: 'raw',
    'read-only': true,
    file: { driver: 'file', filename: uefi.code },
  };
  const variables = {
    'node-name': 'uefi-variables',
    driver: 'qcow2',
    file: { driver: 'file', filename: UEFI_VARIABLES },
  };
  return [...blockdevOption(code), ...blockdevOption(variables)];
}

/** The console's ring, and unconnected further ports. */
export function serialPorts(
  { serialPorts: count }: GuestHardware,
  ringBytes: number,
): QemuArgument[] {
  return [
    ...listOption('-chardev', 'ringbuf', { id: CONSOLE_DEVICE, size: ringBytes }),
    ...textOption('-serial', `chardev:${CONSOLE_DEVICE}`),
    ...Array.from({ length: count - 1 }, () => textOption('-serial', 'null')).flat(),
  ];
}

const SCREENS: Readonly<Record<Exclude<VideoModel, 'none'>, string>> = {
  vga: 'VGA',
  cirrus: 'cirrus-vga',
  virtio: 'virtio-vga',
  qxl: 'qxl-vga',
  bochs: 'bochs-display',
  vmvga: 'vmware-svga',
};

/** Options for video memory, in MiB, a power of two. */
const SCREEN_MEMORY: Readonly<Partial<Record<VideoModel, string>>> = {
  vga: 'vgamem_mb',
  cirrus: 'vgamem_mb',
  qxl: 'vgamem_mb',
  vmvga: 'vgamem_mb',
};

export function screen({ video, videoMb }: GuestHardware): QemuArgument[] {
  if (video === 'none') return [];
  const memory = SCREEN_MEMORY[video];
  const size =
    memory === undefined || videoMb === undefined || videoMb < 1
      ? {}
      : { [memory]: 2 ** Math.floor(Math.log2(videoMb)) };
  return [
    ...deviceOption({ driver: SCREENS[video], addr: SCREEN_SLOT, ...size }),
    ...listOption('-vnc', `unix:${DISPLAY_SOCKET}`),
  ];
}

export function randomNumbers({ rng }: GuestHardware): QemuArgument[] {
  if (rng === undefined) return [];
  const { bytes, periodMs = 1000 } = rng;
  const limit = bytes === undefined ? {} : { 'max-bytes': bytes, period: periodMs };
  return [
    ...listOption('-object', 'rng-random', { id: 'rng0', filename: '/dev/urandom' }),
    ...deviceOption({ driver: 'virtio-rng-pci', rng: 'rng0', ...limit }),
  ];
}

/** The port's name is that of QEMU's guest agent. */
const AGENT_PORT = { driver: 'virtserialport', chardev: 'agent', name: 'org.qemu.guest_agent.0' };

export function smallDevices({ guestAgent, inputBus, watchdog }: GuestHardware): QemuArgument[] {
  const agent = { id: 'agent', path: AGENT_SOCKET, server: true, wait: false };
  return [
    ...(guestAgent
      ? [
          ...deviceOption({ driver: 'virtio-serial-pci', id: 'channels' }),
          ...listOption('-chardev', 'socket', agent),
          ...deviceOption(AGENT_PORT),
        ]
      : []),
    ...(inputBus === 'usb'
      ? [
          ...deviceOption({ driver: 'qemu-xhci', id: 'input' }),
          ...deviceOption({ driver: 'usb-tablet', bus: 'input.0' }),
          ...deviceOption({ driver: 'usb-kbd', bus: 'input.0' }),
        ]
      : []),
    ...(inputBus === 'virtio'
      ? [
          ...deviceOption({ driver: 'virtio-tablet-pci' }),
          ...deviceOption({ driver: 'virtio-keyboard-pci' }),
        ]
      : []),
    ...(watchdog === undefined
      ? []
      : [
          ...deviceOption({ driver: 'i6300esb' }),
          ...listOption('-action', undefined, { watchdog }),
        ]),
  ];
}
