/** Guests as a whole: all that is here of each. */
export interface GuestsPort {
  /** Ids of all guests that have anything on this host, a process or a file; sorted. */
  list(): Promise<string[]>;

  /** Ends the guest and removes all that it has here; does nothing for an unknown guest. */
  destroy(guestId: string): Promise<void>;
}
