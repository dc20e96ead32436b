import type { GuestDiagnostics } from './guest-diagnostics.js';
import type { GuestSpec } from './guest-spec.js';

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
