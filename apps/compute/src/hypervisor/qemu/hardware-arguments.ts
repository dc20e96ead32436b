/** A guest's board, screen and small devices as QEMU's arguments. Pure. */
import type { GuestHardware, VideoModel } from '../ports/guest-hardware.js';
import { CONSOLE_DEVICE } from './guest-console.js';
import { AGENT_SOCKET, DISPLAY_SOCKET, UEFI_VARIABLES } from './guest-folder.js';
import type { UefiFirmware } from './uefi-firmware.js';

/** The last of the PCI bus's first half; network cards have the second. */
const SCREEN_SLOT = '0xf';

export function board({ machine, bootMenu, firmware }: GuestHardware): string[] {
  const flash = firmware === 'uefi' ? ',pflash0=uefi-code,pflash1=uefi-variables' : '';
  // In a sleep state a machine would neither run nor accept commands.
  const power = machine.includes('q35') ? 'ICH9-LPC' : 'PIIX4_PM';
  return [
    '-machine',
    `${machine},usb=off,dump-guest-core=off${flash}`,
    '-rtc',
    'base=utc',
    '-boot',
    `strict=on${bootMenu ? ',menu=on' : ''}`,
    '-global',
    `${power}.disable_s3=1`,
    '-global',
    `${power}.disable_s4=1`,
  ];
}

/** @param uefi where the host has it */
export function firmware(uefi: UefiFirmware): string[] {
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
  return ['-blockdev', JSON.stringify(code), '-blockdev', JSON.stringify(variables)];
}

/** The console's ring, and further ports that lead nowhere. */
export function serialPorts({ serialPorts: count }: GuestHardware, ringBytes: number): string[] {
  return [
    '-chardev',
    `ringbuf,id=${CONSOLE_DEVICE},size=${ringBytes}`,
    '-serial',
    `chardev:${CONSOLE_DEVICE}`,
    ...Array.from({ length: count - 1 }, () => ['-serial', 'null']).flat(),
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

/** What each model calls its memory, in MiB, which is a power of two. */
const SCREEN_MEMORY: Readonly<Partial<Record<VideoModel, string>>> = {
  vga: 'vgamem_mb',
  cirrus: 'vgamem_mb',
  qxl: 'vgamem_mb',
  vmvga: 'vgamem_mb',
};

export function screen({ video, videoMb }: GuestHardware): string[] {
  if (video === 'none') return [];
  const memory = SCREEN_MEMORY[video];
  const size =
    memory === undefined || videoMb === undefined || videoMb < 1
      ? ''
      : `,${memory}=${2 ** Math.floor(Math.log2(videoMb))}`;
  const device = `${SCREENS[video]},addr=${SCREEN_SLOT}${size}`;
  return ['-device', device, '-vnc', `unix:${DISPLAY_SOCKET}`];
}

export function randomNumbers({ rng }: GuestHardware): string[] {
  if (rng === undefined) return [];
  const { bytes, periodMs } = rng;
  const limit = bytes === undefined ? '' : `,max-bytes=${bytes},period=${periodMs ?? 1000}`;
  return [
    '-object',
    'rng-random,id=rng0,filename=/dev/urandom',
    '-device',
    `virtio-rng-pci,rng=rng0${limit}`,
  ];
}

export function smallDevices({ guestAgent, inputBus, watchdog }: GuestHardware): string[] {
  return [
    ...(guestAgent
      ? [
          '-device',
          'virtio-serial-pci,id=channels',
          '-chardev',
          `socket,id=agent,path=${AGENT_SOCKET},server=on,wait=off`,
          '-device',
          'virtserialport,chardev=agent,name=org.qemu.guest_agent.0',
        ]
      : []),
    ...(inputBus === 'usb'
      ? [
          '-device',
          'qemu-xhci,id=input',
          '-device',
          'usb-tablet,bus=input.0',
          '-device',
          'usb-kbd,bus=input.0',
        ]
      : []),
    ...(inputBus === 'virtio'
      ? ['-device', 'virtio-tablet-pci', '-device', 'virtio-keyboard-pci']
      : []),
    ...(watchdog === undefined ? [] : ['-device', 'i6300esb', '-action', `watchdog=${watchdog}`]),
  ];
}
