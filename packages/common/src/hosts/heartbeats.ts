/**
 * Hosts write heartbeats into their row of `hosts`. To place something, the last time alone decides
 * whether a host is alive; to take something away from a dead one, an observer must have seen it
 * silent long enough.
 */

/** SQL: whether a row of `hosts` has a heartbeat within so many seconds, by the database's clock. */
export function heardWithin(seconds: number): string {
  return `hosts.seen_at > clock_timestamp() - interval '${seconds} seconds'`;
}

interface Heard {
  readonly beat: string;
  /** When the observer first saw this heartbeat. */
  readonly since: number;
}

/**
 * Detects dead hosts as seen by one observer. Only silence that it has watched counts: after a
 * database outage all hosts have been silent, and so they are for a process that has just started
 * or was suspended.
 */
export class HeartbeatWatch {
  #heard: ReadonlyMap<string, Heard> = new Map();
  #lookedAt = -Infinity;

  /**
   * @param silenceMs silence after which a host is dead
   * @param gapMs the maximum time between looks; after a longer one the watch restarts
   */
  constructor(
    private readonly silenceMs: number,
    private readonly gapMs: number,
  ) {}

  /**
   * Call this with all hosts at each look.
   * @param beats the last heartbeat of each, in any form that changes with it
   * @param now milliseconds of a monotonic clock
   * @returns the dead hosts
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
