import type { GuestNic } from '../network-card.js';

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
