/** What a driver is told of a guest. Plain data. */
import type { BootImage } from '../boot-image.js';
import type { GuestNic } from '../network-card.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { GuestHardware, RescueDevice } from './guest-hardware.js';

export interface GuestSpec {
  /** A UUID in lower case with dashes. */
  readonly id: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Size of the disk in GiB; 0 means as large as the image. */
  readonly diskGb: number;
  /** The guest's config drive tells which device has it (Nova user guide, "Device tags"). */
  readonly diskTag?: string | undefined;
  /** In the order in which the guest has them, behind the one of its image; at most 7. */
  readonly localDisks?: readonly GuestLocalDisk[] | undefined;
  readonly image: BootImage;
  /** The image that holds the kernel (`aki`), if the guest does not boot from its disk. */
  readonly kernel?: BootImage | undefined;
  /** The image that holds the initial ramdisk (`ari`); only with a kernel. */
  readonly ramdisk?: BootImage | undefined;
  /** What it boots in place of its disk. */
  readonly rescue?: BootImage | undefined;
  /**
   * What the disk of its rescue is, behind all others, which keep their places. Without, it is the
   * first, and its own the second.
   */
  readonly rescueDevice?: RescueDevice | undefined;
  /** Only with a kernel; by default `root=/dev/vda console=tty0 console=ttyS0`. */
  readonly kernelCommandLine?: string | undefined;
  /** By default STANDARD_HARDWARE. */
  readonly hardware?: GuestHardware | undefined;
  /** In the order of their positions. */
  readonly nics: readonly GuestNic[];
  /**
   * By its name in /run/netns: where the devices of cards will be that it is given while it runs.
   * Undefined where it has a card that says so, or where there are no devices.
   */
  readonly networkNamespace?: string | undefined;
  readonly configDrive?: ConfigDriveContent | undefined;
}

/**
 * What the guest reads about itself from a read-only disk labelled `config-2`
 * (Nova user guide, "Config drives"). cloud-init wants at least `uuid` in `metaData`.
 */
export interface ConfigDriveContent {
  readonly metaData: Readonly<Record<string, unknown>>;
  /** Base64, as the API accepts it. */
  readonly userData?: string | undefined;
  /** `meta_data.json` names them; cloud-init puts them where they say. */
  readonly files?: readonly InjectedFile[];
  readonly networkData?: Readonly<Record<string, unknown>> | undefined;
}

export interface InjectedFile {
  /** Where the guest is to put it: `/etc/motd`. */
  readonly path: string;
  /** Base64, as the API accepts it. */
  readonly contents: string;
}

/** A disk of a guest beside the one of its image: empty at first, and gone with the guest. */
export const LOCAL_FORMATS = ['ext2', 'ext3', 'ext4'] as const;

export interface LocalDisk {
  readonly sizeMb: number;
  /** What it is made with. */
  readonly format: 'swap' | (typeof LOCAL_FORMATS)[number];
  /** Of its file system: `ephemeral0`. */
  readonly label?: string | undefined;
  /** The number of its file, which it keeps when others come and go; by default its place. */
  readonly at?: number | undefined;
  /** The guest's config drive tells which device has it. */
  readonly tag?: string | undefined;
}

/** A local disk as a driver makes it. */
export interface GuestLocalDisk extends LocalDisk {
  /** Image of the disk that it was on another host: it is made as a copy of that, as large at least. */
  readonly content?: BootImage | undefined;
}

/** The number of a disk's file. @param index its place among the local disks */
export function numberOf({ at }: Pick<LocalDisk, 'at'>, index: number): number {
  return at ?? index;
}

/** A guest as its rescue alone would be: its images are those of the rescue, and its disk is theirs. */
export function rescueOf(guest: GuestSpec): GuestSpec | undefined {
  const { rescue } = guest;
  if (rescue === undefined) return undefined;
  const { kernel, ramdisk } = rescue;
  return { ...guest, image: rescue, kernel, ramdisk, diskGb: 0, rescue: undefined };
}

const GUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `value` names a guest: a UUID in lower case with dashes. */
export function isGuestId(value: string): boolean {
  return GUEST_ID.test(value);
}

/** Throws `bug` for anything but a guest's id; it becomes part of a path. */
export function requireGuestId(value: string): void {
  if (!isGuestId(value)) throw new HypervisorError('bug', 'The id of a guest is malformed.');
}
