/** What a driver is told of a guest. Plain data. */
import type { BootImage } from '../boot-image.js';
import type { GuestLocalDisk } from './local-disk.js';
import type { GuestHardware } from './guest-hardware.js';
import type { GuestNic } from '../network-card.js';
import type { RescueDevice } from './rescue-device.js';

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
