/** A guest as drivers see it. Plain data. */
import type { BootImage } from '../boot-image.js';
import type { GuestNic } from './guest-nic.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { GuestHardware, RescueDevice } from './guest-hardware.js';

export interface GuestSpec {
  /** A UUID in lower case with dashes. */
  readonly id: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** GiB; 0 means as large as the image. */
  readonly diskGb: number;
  /** Names the device in the config drive (Nova user guide, "Device tags"). */
  readonly diskTag?: string | undefined;
  /** In the guest's order, after the image's disk; at most 7. */
  readonly localDisks?: readonly GuestLocalDisk[] | undefined;
  readonly image: BootImage;
  /** Kernel image (`aki`), if the guest does not boot from its disk. */
  readonly kernel?: BootImage | undefined;
  /** Initial ramdisk (`ari`); only with a kernel. */
  readonly ramdisk?: BootImage | undefined;
  /** Booted in place of its disk. */
  readonly rescue?: BootImage | undefined;
  /** Behind all other disks; by default it is the first, and the guest's own the second. */
  readonly rescueDevice?: RescueDevice | undefined;
  /** Only with a kernel; by default `root=/dev/vda console=tty0 console=ttyS0`. */
  readonly kernelCommandLine?: string | undefined;
  /** By default STANDARD_HARDWARE. */
  readonly hardware?: GuestHardware | undefined;
  /** Ordered by position. */
  readonly nics: readonly GuestNic[];
  /** Namespace of NICs plugged in later; undefined if a NIC names it, or there is none. */
  readonly networkNamespace?: string | undefined;
  readonly configDrive?: ConfigDriveContent | undefined;
}

/** Disk `config-2` (Nova user guide, "Config drives"). cloud-init requires `uuid` in `metaData`. */
export interface ConfigDriveContent {
  readonly metaData: Readonly<Record<string, unknown>>;
  /** Base64, as in the API. */
  readonly userData?: string | undefined;
  /** Named by `meta_data.json`, and placed by cloud-init. */
  readonly files?: readonly InjectedFile[];
  readonly networkData?: Readonly<Record<string, unknown>> | undefined;
}

export interface InjectedFile {
  /** Path in the guest: `/etc/motd`. */
  readonly path: string;
  /** Base64, as in the API. */
  readonly contents: string;
}

/** A disk beside the image's, empty at first, that ends with the guest. */
export const LOCAL_FORMATS = ['ext2', 'ext3', 'ext4'] as const;

export interface LocalDisk {
  readonly sizeMb: number;
  readonly format: 'swap' | (typeof LOCAL_FORMATS)[number];
  /** Label of the file system: `ephemeral0`. */
  readonly label?: string | undefined;
  /** Number of the file, which stays when others come and go; by default its place. */
  readonly at?: number | undefined;
  /** Names the device in the config drive. */
  readonly tag?: string | undefined;
}

export interface GuestLocalDisk extends LocalDisk {
  /** An image of the disk on another host, to be copied, and at least as large. */
  readonly content?: BootImage | undefined;
}

/** The number of a disk's file. @param index its place among the local disks */
export function numberOf({ at }: Pick<LocalDisk, 'at'>, index: number): number {
  return at ?? index;
}

/** The guest with the images and the disk of its rescue; undefined without one. */
export function rescueOf(guest: GuestSpec): GuestSpec | undefined {
  const { rescue } = guest;
  if (rescue === undefined) return undefined;
  const { kernel, ramdisk } = rescue;
  return { ...guest, image: rescue, kernel, ramdisk, diskGb: 0, rescue: undefined };
}

const GUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID in lower case with dashes. */
export function isGuestId(value: string): boolean {
  return GUEST_ID.test(value);
}

/** Throws `bug` for anything but a guest's ID, as it becomes part of a path. */
export function requireGuestId(value: string): void {
  if (!isGuestId(value)) throw new HypervisorError('bug', 'The id of a guest is malformed.');
}
