/** What a data plane tells of a running load balancer. */

/** As the API's operating statuses say it, of what is seen from outside. */
export type MemberHealth =
  /** It answers its checks. */
  | 'ONLINE'
  /** It does not. */
  | 'ERROR'
  /** It gets no new connections. */
  | 'DRAINING'
  /** It is kept out of use. */
  | 'OFFLINE'
  /** Nobody checks it. */
  | 'NO_MONITOR';

export interface TrafficFigures {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly activeConnections: number;
  readonly totalConnections: number;
  readonly requestErrors: number;
}

export interface BalancerFigures {
  /** By listener, since its process began. */
  readonly listeners: ReadonlyMap<string, TrafficFigures>;
  /** By member's id; in a pool of several listeners, the worst that any of them sees. */
  readonly members: ReadonlyMap<string, MemberHealth>;
  /** By member's id, what came of its last check, in a few words; of those that are checked. */
  readonly checks: ReadonlyMap<string, string>;
}
