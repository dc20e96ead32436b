import type { GuestSpec } from './guest-spec.js';

/** The running machines: their power and their states. */
export interface MachinesPort {
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
}

/**
 * - `running`: the machine's processors run.
 * - `paused`: the machine is suspended and can resume.
 * - `shutdown`: the guest powered itself off; the machine still holds its memory.
 * - `crashed`: the guest's kernel panicked, or the machine broke.
 * - `absent`: there is no machine. Its disk may exist here.
 */
export type GuestState = 'running' | 'paused' | 'shutdown' | 'crashed' | 'absent';
