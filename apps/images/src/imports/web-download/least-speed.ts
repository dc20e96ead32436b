/** How slow a server may be. Pure. */
export interface LeastSpeed {
  /** 0 is without limit. */
  readonly bytesPerSecond: number;
  /** Seconds of waiting for the server over which its speed is averaged. */
  readonly overSeconds: number;
}

/** Measures a server by the time that it is waited for: what the store takes is none of it. */
export class SpeedWatch {
  #waitedMs = 0;
  #bytes = 0;

  constructor(private readonly least: LeastSpeed) {}

  /**
   * Once some bytes have come.
   * @param waitedMs how long they were waited for
   * @returns whether the server has been too slow for as long as is averaged over
   */
  isTooSlow(waitedMs: number, bytes: number): boolean {
    const { bytesPerSecond, overSeconds } = this.least;
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < overSeconds * 1000) return false;
    const isTooSlow = this.#bytes * 1000 < bytesPerSecond * this.#waitedMs;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isTooSlow;
  }
}
