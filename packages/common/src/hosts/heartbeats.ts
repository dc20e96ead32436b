/**
 * Hosts say that they live by writing the time into their row of `hosts`. Whether one does is told
 * in two ways: for where to place something, by the last time alone; to take away what a dead one
 * has, by an observer who has found it silent for as long.
 */

/** SQL: whether a row of `hosts` has a heartbeat within so many seconds, by the database's clock. */
export function heardWithin(seconds: number): string {
  return `hosts.seen_at > clock_timestamp() - interval '${seconds} seconds'`;
}

interface Heard {
  readonly beat: string;
  /** When the observer first saw that beat. */
  readonly since: number;
}

/**
 * Detects dead hosts, as one observer sees them. Only silence that it has watched itself counts: right after
 * the database was away all hosts have been silent, and so they are to a process that has just
 * started, or that has been kept from running.
 */
export class HeartbeatWatch {
  #heard: ReadonlyMap<string, Heard> = new Map();
  #lookedAt = -Infinity;

  /**
   * @param silenceMs for how long a dead host has been silent
   * @param gapMs looks that are further apart are no watch: it begins anew
   */
  constructor(
    private readonly silenceMs: number,
    private readonly gapMs: number,
  ) {}

  /**
   * To be called with all hosts at each look.
   * @param beats the last sign of life of each, in any form that changes with it
   * @param now milliseconds of a clock that is never set
   * @returns the dead
   */
  look(beats: ReadonlyMap<string, string>, now: number): string[] {
    const known = now - this.#lookedAt > this.gapMs ? new Map<string, Heard>() : this.#heard;
    this.#lookedAt = now;
    const heard = [...beats].map(([host, beat]): [string, Heard] => {
      const before = known.get(host);
      return [host, before?.beat === beat ? before : { beat, since: now }];
    });
    this.#heard = new Map(heard);
    return heard.filter(([, { since }]) => now - since >= this.silenceMs).map(([host]) => host);
  }
}
