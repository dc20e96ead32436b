import type { Duplex } from 'node:stream';

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
