/** What people read of a guest, and type into it. */
export interface ConsolesPort {
  /**
   * What the guest wrote to its serial console, across its restarts, oldest first; only the last
   * `lines` lines if given. Only the latest part is kept (settings). Works in any state, and
   * returns '' if there is nothing.
   */
  consoleOutput(guestId: string, lines?: number): Promise<string>;
}
