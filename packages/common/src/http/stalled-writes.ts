/** What is known of a socket's way out. */
export interface Writing {
  /** Bytes that wait here for the system to take them. */
  readonly writableLength: number;
  /** Bytes that were written, those that wait included. */
  readonly bytesWritten: number;
}

/** Tells a client that takes nothing of what it is sent from one that takes it slowly. */
export class StalledWrites {
  #seen = '';
  #since = 0;

  /** @param limitMs for how long nothing may be taken while something waits */
  constructor(private readonly limitMs: number) {}

  /** @param now milliseconds of a clock that only goes forward */
  isStalled(socket: Writing, now: number): boolean {
    const seen = progressOf(socket);
    if (socket.writableLength === 0 || seen !== this.#seen) {
      this.#seen = seen;
      this.#since = now;
      return false;
    }
    return now - this.#since >= this.limitMs;
  }
}

/**
 * Differs once a byte was taken. Node counts a chunk when all of it was; only the handle, which is
 * no documented part of a socket, knows how much of the present one waits.
 */
function progressOf(socket: Writing): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? ''}`;
}
