/** QEMU's agent in a guest, where its image says that it has one. */
export interface AgentsPort {
  /**
   * Gives a user of the guest's operating system another password.
   *
   * Throws `not-ready` if the guest does not run, no agent answers in it, or the agent refuses.
   */
  setPassword(guestId: string, user: string, password: string): Promise<void>;
}
