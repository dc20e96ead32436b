import type { Readable, Duplex } from 'node:stream';
import type { BootImage, OpenImage } from './boot-image.js';
import type { GuestSpec } from './ports/guest-spec.js';
import type { GuestDiagnostics } from './ports/guest-diagnostics.js';
import type { GuestNic } from './network-card.js';

/**
 * The port between compute and what runs guests on one host, parted by what its methods are about.
 * Plain data goes in and comes out; every failure is a HypervisorError of a closed set of kinds. The
 * tests in `hypervisor-contract.fixture.ts` say what every driver does.
 *
 * Always holds:
 * - Every method can be called again after a crash at any point; what is done stays done.
 * - Guests outlive the process that called: a driver opened later on the same host finds them.
 * - For one guest there is never more than one running machine, however many callers start it.
 * - Reading creates nothing of a guest: `state`, `list` and `consoleOutput` start nothing.
 * - A method's name is its own among those of all parts.
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

/** The name of a method of any part. */
export type HypervisorMethod = {
  [Part in keyof HypervisorDriver]: keyof HypervisorDriver[Part];
}[keyof HypervisorDriver];

/** The process's driver; what it provides is undefined if there is none. */
export const HYPERVISOR = Symbol('hypervisor');

export interface HostPort {
  /** This host: what runs guests, how fast and why, and its resources. */
  describe(): Promise<HostDescription>;
}

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

/** The images that guests' disks are layers over. */
export interface ImagesPort {
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
   * Removes the images that no disk of a guest is a layer over, that `needed` does not name, and that
   * have been neither for `unusedMs` milliseconds, nor been put or looked for.
   *
   * @param needed the names (`imageName`) of images that guests need or will: asked again before one
   *   is removed, so that a guest cannot lose the image that it is just being made from
   * @returns the names of the removed ones
   */
  evictUnusedImages(
    unusedMs: number,
    needed: () => Promise<ReadonlySet<string>>,
  ): Promise<string[]>;
}

/** What a guest stores on this host. */
export interface DisksPort {
  /**
   * Makes the guest's disk as a copy-on-write layer over its cached image, and its local disks with
   * their file systems, or with the content that they are to have. What is there is left as it is.
   *
   * Throws `not-ready` if an image of the guest or of a local disk is not cached; `bad-image` if the image is larger
   * than the flavor's disk, or has no boot sector while the guest has no kernel of its own.
   */
  ensureDisk(guest: GuestSpec): Promise<void>;

  /**
   * Remembers the disk and the local ones as they are now, for `restoreDisk`; does nothing to one
   * that is remembered. The guest is `absent`. Throws `not-ready` if it has no disk, or a machine.
   */
  keepDisk(guestId: string): Promise<void>;

  /**
   * Makes each disk what it was when it was kept, and forgets that; those that were made since stay,
   * for `forgetKeptDisk`. The guest is `absent`.
   */
  restoreDisk(guestId: string): Promise<void>;

  /** Gives up what was kept, and the local disks that the guest has no more; the guest may run. */
  forgetKeptDisk(guest: GuestSpec): Promise<void>;

  /**
   * Makes the disk and the local ones as large as the guest's are to be, and those that are not there.
   * A larger one stays, and so does a local disk that the guest has no more, for `restoreDisk`. The
   * guest is `absent`.
   */
  growDisk(guest: GuestSpec): Promise<void>;

  /** Removes the disk, so that `ensureDisk` makes another. The guest is `absent`. */
  discardDisk(guestId: string): Promise<void>;

  /**
   * Makes the disk that a guest boots while it is rescued, from that image and as large as it.
   *
   * Throws `not-ready` if the image is not cached, `bad-image` if no machine boots from it.
   */
  ensureRescueDisk(guest: GuestSpec): Promise<void>;

  /** Removes it. The guest is `absent`. */
  discardRescueDisk(guestId: string): Promise<void>;
}

/** Copies of guests' disks, which are kept on this host until they are removed. */
export interface CopiesPort {
  /**
   * Copies a disk of the guest, as it is at one moment, into one qcow2 file that needs no other. A
   * running guest runs on, and what it writes after that moment is not in the copy. A long copy is
   * made between the calls: call again until it is whole. One that is whole stays as it is, and one
   * that a crash broke off is begun anew. Where the guest has an agent, that freezes its file systems
   * for the moment. Local disks are copied of a guest without a machine alone.
   *
   * Throws `not-ready` if the guest has no such disk here, or must be frozen and is not, or cannot be thawed;
   * `capacity` if the host has no room.
   * @param copyId a UUID, by which the copy is found
   * @param local the number of a local disk; without, the disk of its image is copied
   * @returns whether it is whole
   */
  copyDisk(guest: GuestSpec, copyId: string, local?: number): Promise<boolean>;

  /** The copy's data. Throws `not-ready` if there is none, or it is not whole. */
  openCopy(guestId: string, copyId: string): Promise<OpenCopy>;

  /** Removes the copy, whole or not, and ends its making; does nothing where there is none. */
  removeCopy(guestId: string, copyId: string): Promise<void>;
}

export interface OpenCopy {
  readonly sizeBytes: number;
  /** Must be read to its end or destroyed. */
  readonly data: Readable;
}

/** The running machines: their power and their states. */
export interface MachinesPort {
  /**
   * Brings the guest to `running` from any state, with what `guest` says now: a stopped guest is
   * started, a paused or suspended one goes on, one that powered itself off or crashed is started
   * afresh.
   * Returns once the machine runs; its operating system boots after that.
   *
   * Throws `not-ready` if its disk or an image is missing (a lost disk is never replaced by an
   * empty one), or the memory of a suspended guest cannot be read; `capacity` if memory is short;
   * `bad-image` if its kernel cannot be loaded.
   */
  ensureRunning(guest: GuestSpec): Promise<void>;

  /**
   * Presses the guest's ACPI power button and returns at once. A guest that obeys becomes
   * `shutdown`; one that does not keeps running. Does nothing to a guest that is not running.
   */
  powerDown(guestId: string): Promise<void>;

  /**
   * Stops the guest's processors; its memory stays in the machine's. Throws `not-ready` if there is
   * no machine, or its guest has powered itself off.
   */
  pause(guestId: string): Promise<void>;

  /**
   * Writes the guest's memory to its disk and ends the machine, so that it takes no memory: the
   * guest is `absent`, until `ensureRunning` lets it go on where it was. Does nothing to a guest
   * that is suspended. Throws `not-ready` as `pause` does, and `capacity` if the disk has no room;
   * the guest then is as it was.
   */
  suspend(guestId: string): Promise<void>;

  /** Raises a non-maskable interrupt. Throws `not-ready` if the guest is not running. */
  injectInterrupt(guestId: string): Promise<void>;

  /**
   * Cuts the power: afterwards the guest is `absent`, its disk and console output stay. What was in
   * its memory is lost, also if that was on its disk.
   */
  powerOff(guestId: string): Promise<void>;

  /**
   * Presses the reset button: the machine reboots and is `running`, even if it had crashed or
   * powered itself off. Throws `not-ready` if it is `absent`.
   */
  reset(guestId: string): Promise<void>;

  /** The guest's state. A guest that this host has never heard of is `absent`. */
  state(guestId: string): Promise<GuestState>;

  /** What the machine has used. Throws `not-ready` if there is none. */
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

/** What people read of a guest, and type into it. */
export interface ConsolesPort {
  /**
   * What the guest wrote to its serial console, across its restarts, oldest first; only the last
   * `lines` lines if given. Only the latest part is kept (settings). Works in any state, and
   * returns '' if there is nothing.
   */
  consoleOutput(guestId: string, lines?: number): Promise<string>;

  /**
   * The guest's serial console as it goes on from now: what it writes comes out, what goes in is
   * typed. Several may have it open; each sees all, and `consoleOutput` keeps it as well. It ends
   * with the machine, and closing it does nothing to the guest.
   *
   * Throws `not-ready` if the guest has no machine.
   */
  openSerial(guestId: string): Promise<Duplex>;

  /**
   * The guest's screen, keyboard and mouse: a connection that speaks RFB ("The Remote Framebuffer
   * Protocol", RFC 6143), without a password. It ends with the machine.
   *
   * Throws `not-ready` if the guest has no machine, or one that was started without a screen.
   */
  openDisplay(guestId: string): Promise<Duplex>;
}

/** QEMU's agent in a guest, where its image says that it has one. */
export interface AgentsPort {
  /**
   * Gives a user of the guest's operating system another password.
   *
   * Throws `not-ready` if the guest does not run, no agent answers in it, or the agent refuses.
   */
  setPassword(guestId: string, user: string, password: string): Promise<void>;
}

/** The network cards of guests. Those that a guest starts with are in its spec. */
export interface NicsPort {
  /**
   * The number of the user who opens a guest's devices; undefined where that is root, or there are
   * no devices.
   */
  deviceUser(guestId: string): Promise<number | undefined>;

  /**
   * Plugs a card into a running machine; one that is there already stays. Does nothing to a guest
   * without a machine: its next start is told of the card.
   *
   * Throws `transient` while the card's device is not there; `not-ready` if this machine can have no
   * such card until it is started anew.
   */
  plugNic(guestId: string, nic: GuestNic): Promise<void>;

  /**
   * Asks the guest's operating system to let go of a card, and returns once the machine is without
   * it. Does nothing if it is not there.
   *
   * Throws `not-ready` if the guest does not let go of it in time.
   */
  unplugNic(guestId: string, nicId: string): Promise<void>;

  /** The ids of the cards that the guest's machine has; none without a machine. */
  pluggedNics(guestId: string): Promise<readonly string[]>;
}

/** Guests as a whole: all that is here of each. */
export interface GuestsPort {
  /** Ids of all guests that have anything on this host, a process or a file; sorted. */
  list(): Promise<string[]>;

  /** Ends the guest and removes all that it has here; does nothing for an unknown guest. */
  destroy(guestId: string): Promise<void>;
}
