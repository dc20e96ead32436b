import type { Readable, Duplex } from 'node:stream';
import type { BootImage, OpenImage } from './boot-image.js';
import type { GuestSpec } from './ports/guest-spec.js';
import type { GuestDiagnostics } from './ports/guest-diagnostics.js';
import type { GuestNic } from './ports/guest-nic.js';

/**
 * The port between compute and a host's guests. Every failure is a HypervisorError;
 * `hypervisor-contract.fixture.ts` tests every driver.
 *
 * Always holds:
 * - Every method can be called again after a crash at any point; what is done stays done.
 * - Guests outlive the calling process: a driver opened later on the host finds them.
 * - A guest never has two running machines, however many callers start it.
 * - Reading creates nothing: `state`, `list` and `consoleOutput` start nothing.
 * - Method names are unique among all parts.
 */
export interface HypervisorDriver {
  readonly host: HostPort;
  readonly images: ImagesPort;
  readonly disks: DisksPort;
  readonly copies: CopiesPort;
  readonly machines: MachinesPort;
  readonly consoles: ConsolesPort;
  readonly agents: AgentsPort;
  readonly nics: NicsPort;
  readonly guests: GuestsPort;
}

export type HypervisorMethod = {
  [Part in keyof HypervisorDriver]: keyof HypervisorDriver[Part];
}[keyof HypervisorDriver];

/** The process's driver; undefined if it has none. */
export const HYPERVISOR = Symbol('hypervisor');

export interface HostPort {
  describe(): Promise<HostDescription>;
}

export interface HostDescription {
  /** `hypervisor_type` on the wire; a simulated driver always says so. */
  readonly type: 'QEMU' | 'simulated';
  /** `7.2.22` */
  readonly version: string;
  readonly accelerator: 'kvm' | 'tcg' | 'none';
  /** The reason for this accelerator, in one sentence. */
  readonly why: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** GiB of the file system with the guests' disks. */
  readonly diskGb: number;
}

export interface ImagesPort {
  /** Whether `ensureDisk` needs no download. */
  hasBaseImage(image: BootImage): Promise<boolean>;

  /**
   * Caches an image once, after judging it; concurrent callers share one download. Throws
   * `bad-image` for a format that is not as claimed, or is empty, encrypted, unsupported, or refers
   * to other files; `transient` if the data breaks off or does not match its hash; `capacity` if it
   * does not fit.
   */
  putBaseImage(image: BootImage, open: OpenImage): Promise<void>;

  /**
   * Removes images that are under no guest's disk, not in `needed`, and neither put nor looked for
   * in the last `unusedMs` milliseconds.
   * @param needed names (`imageName`) of images that guests need or will; asked again before each
   *   removal, so that no guest loses the image it is being made from
   * @returns the names of the removed ones
   */
  evictUnusedImages(
    unusedMs: number,
    needed: () => Promise<ReadonlySet<string>>,
  ): Promise<string[]>;
}

/** A guest's storage on this host. */
export interface DisksPort {
  /**
   * Makes the guest's disk as a copy-on-write layer over its cached image, and its local disks with
   * their file systems or content. Existing disks stay. Throws `not-ready` if an image is not
   * cached; `bad-image` if it is larger than the flavor's disk, or has no boot sector while the
   * guest has no kernel.
   */
  ensureDisk(guest: GuestSpec): Promise<void>;

  /** Keeps the disks, once. Throws `not-ready` if there is none, or a machine. */
  keepDisk(guestId: string): Promise<void>;

  /** Restores kept disks; those made since stay, for `forgetKeptDisk`. The guest is `absent`. */
  restoreDisk(guestId: string): Promise<void>;

  /** Gives up kept disks, and local disks that the guest no longer has; it may run. */
  forgetKeptDisk(guest: GuestSpec): Promise<void>;

  /**
   * Grows the disks to the guest's sizes, and makes missing ones. Larger disks, and local ones that
   * it no longer has, stay for `restoreDisk`. The guest is `absent`.
   */
  growDisk(guest: GuestSpec): Promise<void>;

  /** So that `ensureDisk` makes another. The guest is `absent`. */
  discardDisk(guestId: string): Promise<void>;

  /** As large as its image. Throws `not-ready` if that is not cached, `bad-image` if unbootable. */
  ensureRescueDisk(guest: GuestSpec): Promise<void>;

  /** The guest is `absent`. */
  discardRescueDisk(guestId: string): Promise<void>;
}

/** Copies of guests' disks, on this host until they are removed. */
export interface CopiesPort {
  /**
   * Copies a disk, as it is at one moment, into a qcow2 file that needs no other. A running guest
   * runs on; its agent, if it has one, freezes its file systems for the moment. Local disks are
   * copied only without a machine. Call again until the copy is whole; one that a crash broke off
   * begins anew.
   * Throws `not-ready` without such a disk, or if the guest must be frozen and is not, or cannot be
   * thawed; `capacity` if the host has no room.
   * @param copyId a UUID
   * @param local number of a local disk; by default the image's disk is copied
   * @returns whether it is whole
   */
  copyDisk(guest: GuestSpec, copyId: string, local?: number): Promise<boolean>;

  /** Throws `not-ready` if there is no copy, or it is not whole. */
  openCopy(guestId: string, copyId: string): Promise<OpenCopy>;

  /** Removes the copy, whole or not, and stops its job; does nothing without one. */
  removeCopy(guestId: string, copyId: string): Promise<void>;
}

export interface OpenCopy {
  readonly sizeBytes: number;
  /** Must be read to its end or destroyed. */
  readonly data: Readable;
}

export interface MachinesPort {
  /**
   * Brings the guest to `running` from any state, as `guest` is now: resumes a paused or suspended
   * one, and starts any other afresh. Returns once the machine runs, before its system has booted.
   * Throws `not-ready` if its disk or an image is missing (an empty disk never replaces a lost
   * one), or a suspended guest's memory cannot be read; `capacity` if memory is short; `bad-image`
   * if its kernel cannot be loaded.
   */
  ensureRunning(guest: GuestSpec): Promise<void>;

  /** Presses a running guest's ACPI power button and returns at once; it may become `shutdown`. */
  powerDown(guestId: string): Promise<void>;

  /** Throws `not-ready` if there is no machine, or its guest has powered itself off. */
  pause(guestId: string): Promise<void>;

  /**
   * Saves the guest's memory to its disk and ends the machine: it is `absent` until `ensureRunning`
   * resumes it. Throws `not-ready` as `pause` does, and `capacity` if the disk has no room; the
   * guest is then unchanged.
   */
  suspend(guestId: string): Promise<void>;

  /** Raises a non-maskable interrupt. Throws `not-ready` if the guest is not running. */
  injectInterrupt(guestId: string): Promise<void>;

  /** Cuts the power: disk and console output stay, memory is lost, also a suspended guest's. */
  powerOff(guestId: string): Promise<void>;

  /** Resets the machine to `running`, even a halted one. Throws `not-ready` if it is `absent`. */
  reset(guestId: string): Promise<void>;

  /** A guest that this host does not know is `absent`. */
  state(guestId: string): Promise<GuestState>;

  /** Statistics of the machine. Throws `not-ready` if there is none. */
  diagnostics(guestId: string): Promise<GuestDiagnostics>;
}

/**
 * - `running`: the machine's processors run.
 * - `paused`: the machine is suspended and can resume.
 * - `shutdown`: the guest powered itself off; the machine still holds its memory.
 * - `crashed`: the guest's kernel panicked, or the machine broke.
 * - `absent`: there is no machine. Its disk may exist here.
 */
export type GuestState = 'running' | 'paused' | 'shutdown' | 'crashed' | 'absent';

export interface ConsolesPort {
  /**
   * Output of the serial console across restarts, oldest first; the last `lines` lines if given.
   * Only the latest part is kept (settings); '' if there is none.
   */
  consoleOutput(guestId: string, lines?: number): Promise<string>;

  /**
   * The live serial console: output to read, and input to type. Several readers may share it, and
   * `consoleOutput` keeps it as well. It ends with the machine; closing it leaves the guest alone.
   * Throws `not-ready` without a machine.
   */
  openSerial(guestId: string): Promise<Duplex>;

  /**
   * Screen, keyboard and mouse by RFB ("The Remote Framebuffer Protocol", RFC 6143), without a
   * password, until the machine ends. Throws `not-ready` without a machine or a screen.
   */
  openDisplay(guestId: string): Promise<Duplex>;
}

/** QEMU's guest agent, where the image says that it has one. */
export interface AgentsPort {
  /** Throws `not-ready` if the guest does not run, no agent answers in it, or the agent refuses. */
  setPassword(guestId: string, user: string, password: string): Promise<void>;
}

/** NICs of running guests; those of a start are in its spec. */
export interface NicsPort {
  /** The user ID that opens a guest's devices; undefined for root, or without devices. */
  deviceUser(guestId: string): Promise<number | undefined>;

  /**
   * Plugs a NIC into a running machine, once; without a machine, the next start adds it. Throws
   * `transient` until the NIC's device exists, `not-ready` if the NIC requires a new start.
   */
  plugNic(guestId: string, nic: GuestNic): Promise<void>;

  /**
   * Asks the guest to release a NIC, and returns once the machine is without it; does nothing if it
   * is not there. Throws `not-ready` if the guest does not release it in time.
   */
  unplugNic(guestId: string, nicId: string): Promise<void>;

  /** IDs of the machine's NICs; none without a machine. */
  pluggedNics(guestId: string): Promise<readonly string[]>;
}

export interface GuestsPort {
  /** IDs of all guests with a process or a file on this host, sorted. */
  list(): Promise<string[]>;

  /** Ends the guest and removes its files; does nothing for an unknown guest. */
  destroy(guestId: string): Promise<void>;
}
