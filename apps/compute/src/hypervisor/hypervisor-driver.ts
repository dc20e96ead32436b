/** The process's driver; what it provides is undefined if there is none. */
export const HYPERVISOR = Symbol('hypervisor');

import type { BootImage, OpenImage } from './boot-image.js';
import type { UserNetworkCard } from './network-card.js';

/**
 * The port between compute and what runs guests on one host. Plain data goes in and comes out;
 * every failure is a HypervisorError of a closed set of kinds. The tests in
 * `hypervisor-contract.fixture.ts` say what every driver does.
 *
 * Always holds:
 * - Every method can be called again after a crash at any point; what is done stays done.
 * - Guests outlive the process that called: a driver opened later on the same host finds them.
 * - For one guest there is never more than one running machine, however many callers start it.
 * - Reading creates nothing of a guest: `state`, `list` and `consoleOutput` start nothing.
 */
export interface HypervisorDriver {
  /** This host: what runs guests, how fast and why, and its resources. */
  describe(): Promise<HostDescription>;

  /** Whether this exact image is cached here, so that `ensureDisk` needs no download. */
  hasBaseImage(image: BootImage): Promise<boolean>;

  /**
   * Caches an image once; concurrent callers share one download, and a cached image is not read
   * again. The image is judged before it is kept.
   *
   * Throws `bad-image` for a format that is not what it claims, or is empty, encrypted,
   * unsupported, or refers to files outside itself; `transient` if the data breaks off or does not
   * match its hash; `capacity` if it does not fit.
   */
  putBaseImage(image: BootImage, open: OpenImage): Promise<void>;

  /**
   * Makes the guest's disk as a copy-on-write layer over its cached image.
   *
   * Throws `not-ready` if an image of the guest is not cached; `bad-image` if the image is larger
   * than the flavor's disk, or has no boot sector while the guest has no kernel of its own.
   */
  ensureDisk(guest: GuestSpec): Promise<void>;

  /**
   * Brings the guest to `running` from any state, with what `guest` says now: a stopped guest is
   * started, a paused one goes on, one that powered itself off or crashed is started afresh.
   * Returns once the machine runs; its operating system boots after that.
   *
   * Throws `not-ready` if its disk or an image is missing (a lost disk is never replaced by an
   * empty one); `capacity` if memory is short; `bad-image` if its kernel cannot be loaded.
   */
  ensureRunning(guest: GuestSpec): Promise<void>;

  /**
   * Presses the guest's ACPI power button and returns at once. A guest that obeys becomes
   * `shutdown`; one that does not keeps running. Does nothing to a guest that is not running.
   */
  powerDown(guestId: string): Promise<void>;

  /** Cuts the power: afterwards the guest is `absent`, its disk and console output stay. */
  powerOff(guestId: string): Promise<void>;

  /**
   * Presses the reset button: the machine reboots and is `running`, even if it had crashed or
   * powered itself off. Throws `not-ready` if it is `absent`.
   */
  reset(guestId: string): Promise<void>;

  /** The guest's state. A guest that this host has never heard of is `absent`. */
  state(guestId: string): Promise<GuestState>;

  /** Ids of all guests that have anything on this host, a process or a file; sorted. */
  list(): Promise<string[]>;

  /** Ends the guest and removes all that it has here; does nothing for an unknown guest. */
  destroy(guestId: string): Promise<void>;

  /**
   * What the guest wrote to its serial console, across its restarts, oldest first; only the last
   * `lines` lines if given. Only the latest part is kept (settings). Works in any state, and
   * returns '' if there is nothing.
   */
  consoleOutput(guestId: string, lines?: number): Promise<string>;
}

/**
 * - `running`: the machine's processors run.
 * - `paused`: the machine is suspended and can resume.
 * - `shutdown`: the guest powered itself off; the machine still holds its memory.
 * - `crashed`: the guest's kernel panicked, or the machine broke.
 * - `absent`: there is no machine. Its disk may exist here.
 */
export type GuestState = 'running' | 'paused' | 'shutdown' | 'crashed' | 'absent';

export interface HostDescription {
  /** On the wire as `hypervisor_type`. A simulated driver always says so. */
  readonly type: 'QEMU' | 'simulated';
  /** `7.2.22` */
  readonly version: string;
  readonly accelerator: 'kvm' | 'tcg' | 'none';
  /** One sentence: why this accelerator was chosen. */
  readonly why: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Size of the file system that holds the guests' disks, in GiB. */
  readonly diskGb: number;
}

export interface GuestSpec {
  /** A UUID in lower case with dashes. */
  readonly id: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Size of the disk in GiB; 0 means as large as the image. */
  readonly diskGb: number;
  /** The guest's config drive tells which device has it (Nova user guide, "Device tags"). */
  readonly diskTag?: string | undefined;
  readonly image: BootImage;
  /** The image that holds the kernel (`aki`), if the guest does not boot from its disk. */
  readonly kernel?: BootImage | undefined;
  /** The image that holds the initial ramdisk (`ari`); only with a kernel. */
  readonly ramdisk?: BootImage | undefined;
  /** Only with a kernel; by default `root=/dev/vda console=tty0 console=ttyS0`. */
  readonly kernelCommandLine?: string | undefined;
  /** `isolated`: a network card with DHCP behind it, and no way in or out. */
  readonly nic: 'none' | 'isolated' | UserNetworkCard;
  /** Of an isolated card: `fa:16:3e:01:02:03`; by default derived from the guest's id. */
  readonly macAddress?: string | undefined;
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
