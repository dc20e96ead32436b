/**
 * Connections while a process starts. It computes what it will serve meanwhile, for seconds where the
 * machine is slow; a timer that ends an attempt may then fire before the process has looked whether
 * Postgres has answered.
 */

/** What pg and its pool say of an attempt that took too long. */
const TOO_LATE = /^(Connection terminated due to connection timeout|timeout exceeded when trying)/;
const TRIES = 5;

/** Does it again where an attempt to connect came too late; other failures are thrown at once. */
export async function despiteLateConnections(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isLate = error instanceof Error && TOO_LATE.test(error.message);
      if (!isLate || tries === TRIES) throw error;
    }
  }
}
