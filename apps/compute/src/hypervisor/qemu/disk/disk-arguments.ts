/** A guest's disks as QEMU's arguments. Pure. */
import type { DiskBus, DiskLimits, GuestHardware } from '../../ports/guest-hardware.js';
import type { LocalDisk } from '../../ports/guest-spec.js';
import type { GuestImages } from '../../guest-images.js';
import type { BaseImage } from '../image/base-image-store.js';
import {
  blockdevOption,
  deviceOption,
  listOption,
  type QemuArgument,
  type QemuOptions,
} from '../command-line.js';
import { DISK, localDiskFile } from '../guest-folder.js';

/** The block device of the guest's disk. */
export const DISK_NODE = 'disk';

/** On the PCI bus, after the board and the random numbers. */
const DISK_SLOT = 3;

/** Slots of local disks, up to the screen's. */
const FIRST_LOCAL_SLOT = 8;

/** Block devices of the guest's own disks, with or without the filter of their limits. */
export const OWN_DISK_NODE = /^(disk|local\d+)(-limits)?$/;

/** The filter that limits a disk. */
const limitsOf = (node: string): string => `${node}-limits`;

export type Device = QemuOptions & { readonly driver: string };

/** Controllers of disks; a virtio disk is itself a device of the PCI bus. */
const CONTROLLERS: Readonly<Record<DiskBus, Device | undefined>> = {
  virtio: undefined,
  scsi: { driver: 'virtio-scsi-pci', id: 'scsi0' },
  sata: { driver: 'ahci', id: 'sata0' },
  ide: undefined,
  usb: { driver: 'qemu-xhci', id: 'usb0' },
};

/** A disk by its number on the bus. */
const DRIVES: Readonly<Record<DiskBus, (index: number) => Device>> = {
  virtio: (index) => ({ driver: 'virtio-blk-pci', addr: index === 0 ? DISK_SLOT : undefined }),
  scsi: (index) => ({ driver: 'scsi-hd', bus: 'scsi0.0', 'scsi-id': index }),
  sata: (index) => ({ driver: 'ide-hd', bus: `sata0.${index}` }),
  ide: (index) => ({ driver: 'ide-hd', bus: `ide.${index >> 1}`, unit: index & 1 }),
  usb: () => ({ driver: 'usb-storage', bus: 'usb0.0' }),
};

/** A CD-ROM after the disks; IDE's second cable is its own. */
const CDROMS: Readonly<Record<NonNullable<GuestHardware['cdromBus']>, Device>> = {
  scsi: { driver: 'scsi-cd', bus: 'scsi0.0', 'scsi-id': 250 },
  sata: { driver: 'ide-cd', bus: 'sata0.5' },
  ide: { driver: 'ide-cd', bus: 'ide.1', unit: 1 },
};

/** One of each kind; the first has the disk's slot. @param furtherBus of a disk beside its own */
export function controllers(
  { diskBus, cdromBus }: GuestHardware,
  furtherBus?: DiskBus,
): QemuArgument[] {
  const buses = [...new Set([diskBus, cdromBus, furtherBus])].filter((bus) => bus !== undefined);
  return buses.flatMap((bus, at) => {
    const controller = CONTROLLERS[bus];
    if (controller === undefined) return [];
    return deviceOption({ ...controller, addr: at === 0 ? DISK_SLOT : undefined });
  });
}

/** A disk that is a layer over an image. */
interface LayeredDisk {
  readonly node: string;
  /** In the guest's folder. */
  readonly file: string;
}

/** A disk's place among the guest's. */
export interface DiskRole extends LayeredDisk {
  /** Number on its bus. */
  readonly index: number;
  /** Boot order; undefined for one that is never booted. */
  readonly boot: number | undefined;
}

export const SYSTEM_DISK: DiskRole = { node: DISK_NODE, file: DISK, index: 0, boot: 1 };

/** Names each file of the chain with its format: QEMU follows no reference and guesses none. */
export function layer(
  { base }: GuestImages<BaseImage>,
  opened: (path: string) => string,
  { node, file }: LayeredDisk,
): object {
  const baseFile = { driver: 'file', filename: opened(base.path) };
  const lowest = base.kind === 'qcow2' ? { backing: null } : {};
  return {
    'node-name': node,
    driver: 'qcow2',
    discard: 'unmap',
    file: { driver: 'file', filename: file, discard: 'unmap' },
    backing: { driver: base.kind, 'read-only': true, file: baseFile, ...lowest },
  };
}

export function diskDevice(bus: DiskBus, drive: string, { index, boot }: DiskRole): Device {
  return { ...DRIVES[bus](index), drive, bootindex: boot };
}

export function systemDisk(
  images: GuestImages<BaseImage>,
  { diskBus, diskLimits }: GuestHardware,
  opened: (path: string) => string,
  as: DiskRole = SYSTEM_DISK,
): QemuArgument[] {
  const { drive, filter } = limited(as.node, diskLimits);
  const blockdev = blockdevOption(layer(images, opened, as));
  return [...blockdev, ...filter, ...deviceOption(diskDevice(diskBus, drive, as))];
}

/** "QEMU QMP Reference Manual", ThrottleLimits. */
const THROTTLES: Readonly<Record<keyof DiskLimits, string>> = {
  readBytes: 'x-bps-read',
  writeBytes: 'x-bps-write',
  totalBytes: 'x-bps-total',
  readRequests: 'x-iops-read',
  writeRequests: 'x-iops-write',
  totalRequests: 'x-iops-total',
};

/** @returns the node that a disk's device reads, and the filter over the disk's node */
function limited(node: string, diskLimits: DiskLimits): { drive: string; filter: QemuArgument[] } {
  const limits = Object.entries(diskLimits).map(([limit, value]) => [
    THROTTLES[limit as keyof DiskLimits],
    value as number,
  ]);
  if (limits.length === 0) return { drive: node, filter: [] };
  const [drive, group] = [limitsOf(node), `${node}-group`];
  const object = { id: group, ...(Object.fromEntries(limits) as QemuOptions) };
  const filter = { 'node-name': drive, driver: 'throttle', 'throttle-group': group, file: node };
  return {
    drive,
    filter: [...listOption('-object', 'throttle-group', object), ...blockdevOption(filter)],
  };
}

/** At the bus of the image's disk. @param before number of disks before the local ones */
export function localDisk(
  disk: LocalDisk,
  index: number,
  { diskBus, diskLimits }: GuestHardware,
  before: number,
): QemuArgument[] {
  const node = `local${index}`;
  const layer = {
    'node-name': node,
    driver: 'qcow2',
    discard: 'unmap',
    file: { driver: 'file', filename: localDiskFile(disk, index), discard: 'unmap' },
  };
  const device =
    diskBus === 'virtio'
      ? { driver: 'virtio-blk-pci', addr: `0x${(FIRST_LOCAL_SLOT + index).toString(16)}` }
      : DRIVES[diskBus](before + index);
  const { drive, filter } = limited(node, diskLimits);
  return [...blockdevOption(layer), ...filter, ...deviceOption({ ...device, drive })];
}

/** A local disk's address in `meta_data.json`. */
export function localDiskPlace(index: number, { diskBus }: GuestHardware): object {
  if (diskBus !== 'virtio') return { type: 'disk', bus: diskBus };
  const slot = (FIRST_LOCAL_SLOT + index).toString(16).padStart(2, '0');
  return { type: 'disk', bus: 'pci', address: `0000:00:${slot}.0` };
}

export function configDrive(filename: string, { cdromBus }: GuestHardware): QemuArgument[] {
  const layer = {
    'node-name': 'config-drive',
    driver: 'raw',
    'read-only': true,
    file: { driver: 'file', filename },
  };
  const device = cdromBus === undefined ? { driver: 'virtio-blk-pci' } : CDROMS[cdromBus];
  return [...blockdevOption(layer), ...deviceOption({ ...device, drive: 'config-drive' })];
}

/** The disk's address in `meta_data.json` (Nova, `objects/virt_device_metadata.py`). */
export function diskPlace({ diskBus }: GuestHardware): object {
  switch (diskBus) {
    case 'virtio':
      return { type: 'disk', bus: 'pci', address: `0000:00:0${DISK_SLOT}.0` };
    case 'scsi':
      return { type: 'disk', bus: 'scsi', address: '0:0:0:0' };
    case 'ide':
      return { type: 'disk', bus: 'ide', address: '0:0' };
    case 'sata':
    case 'usb':
      return { type: 'disk', bus: diskBus };
  }
}
