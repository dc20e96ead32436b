/** The rescue disk comes first, or behind all others, which then keep their places. Pure. */
import type { GuestImages } from '../../guest-images.js';
import type { GuestHardware, RescueDevice } from '../../ports/guest-hardware.js';
import type { BaseImage } from '../image/base-image-store.js';
import { blockdevOption, deviceOption, listOption, type QemuArgument } from '../command-line.js';
import { RESCUE_DISK } from '../guest-folder.js';
import {
  diskDevice,
  layer,
  SYSTEM_DISK,
  systemDisk,
  type Device,
  type DiskRole,
} from './disk-arguments.js';

const RESCUE = { node: 'rescue', file: RESCUE_DISK };

/** The rescue disk, then the guest's own, with its limits. */
export function rescueBeforeDisk(
  rescue: GuestImages<BaseImage>,
  images: GuestImages<BaseImage>,
  hardware: GuestHardware,
  opened: (path: string) => string,
): QemuArgument[] {
  const own = { ...SYSTEM_DISK, index: 1, boot: undefined };
  return [
    ...systemDisk(rescue, { ...hardware, diskLimits: {} }, opened, {
      ...RESCUE,
      index: 0,
      boot: 1,
    }),
    ...systemDisk(images, hardware, opened, own),
  ];
}

/** The guest's own disk in its usual place, booted where the rescue is not. */
export function rescuedDisk(
  images: GuestImages<BaseImage>,
  hardware: GuestHardware,
  opened: (path: string) => string,
): QemuArgument[] {
  return systemDisk(images, hardware, opened, { ...SYSTEM_DISK, boot: 2 });
}

const CDROMS = {
  scsi: { driver: 'scsi-cd', bus: 'scsi0.0', 'scsi-id': 251 },
  sata: { driver: 'ide-cd', bus: 'sata0.4' },
  ide: { driver: 'ide-cd', bus: 'ide.1', unit: 0 },
} as const satisfies Readonly<Record<string, Device>>;

/** Behind all others. @param disks how many the guest has on its bus of disks */
export function rescueBehindDisks(
  rescue: GuestImages<BaseImage>,
  device: RescueDevice,
  { diskBus, machine }: GuestHardware,
  disks: number,
  opened: (path: string) => string,
): QemuArgument[] {
  const readOnly = device.kind === 'cdrom' ? { 'read-only': true } : {};
  const blockdev = blockdevOption({ ...layer(rescue, opened, RESCUE), ...readOnly });
  // The first virtio slot is the guest's own disk's, even if that is at another bus.
  const isShared = device.bus === diskBus || device.bus === 'virtio';
  return [...blockdev, ...deviceOf(device, isShared ? disks : 0, machine)];
}

function deviceOf(device: RescueDevice, index: number, machine: string): QemuArgument[] {
  const role: DiskRole = { ...RESCUE, index, boot: 1 };
  switch (device.kind) {
    case 'disk':
      return deviceOption(diskDevice(device.bus, RESCUE.node, role));
    case 'cdrom':
      return deviceOption({ ...CDROMS[device.bus], drive: RESCUE.node, bootindex: 1 });
    case 'floppy':
      return [
        // A pc has a controller of its own.
        ...(machine.includes('q35') ? deviceOption({ driver: 'isa-fdc' }) : []),
        ...listOption('-global', undefined, { 'isa-fdc.bootindexA': 1 }),
        ...deviceOption({ driver: 'floppy', drive: RESCUE.node }),
      ];
  }
}
