/**
 * Runs load balancers on a host; every call takes whole load balancers. The interface's
 * comments are the contract.
 *
 * Always holds: every call is idempotent and says all that is to be true, so that it may be repeated
 * after a crash; what runs outlives the process, and the next one finds it.
 */
import { invalid } from '@cumulet/common/errors/domain-error';
import type { BalancerSpec } from './balancer-spec.js';

/** The place of its addresses. */
export type Place =
  /** On the host itself. */
  | { readonly kind: 'host' }
  /** In a network namespace of the host, which has them by then. */
  | { readonly kind: 'namespace'; readonly name: string };

/** A retry would fail, too. The message is for the owner. */
export class BalancerRefusedError extends invalid((message: string) => message) {}

export interface InventoryItem {
  /** The load balancer's. */
  readonly id: string;
  /** Whether it still runs as it was last applied; one of which nothing has to run does so. */
  readonly isWhole: boolean;
}

export interface DataPlane {
  /** Its name in start-up lines and hosts: `haproxy`. */
  readonly kind: string;

  /**
   * Makes the load balancer run as it says; connections that it has stay.
   * @throws BalancerRefusedError if it cannot run like this; what ran before still does
   */
  apply(spec: BalancerSpec, place: Place): Promise<void>;

  /** Ends it. Does nothing if there is none. */
  remove(id: string): Promise<void>;

  /** All that it has, whether it runs or not. */
  inventory(): Promise<readonly InventoryItem[]>;

  /** The statistics of running load balancers, by ID. */
  statistics(): Promise<ReadonlyMap<string, BalancerStatistics>>;
}

/** Where the driver is provided. */
export const DATA_PLANE = Symbol('cumulet:balancer-data-plane');

/** As the API's operating statuses say it, of what is seen from outside. */
export type MemberHealth =
  | 'ONLINE'
  /** Its checks fail. */
  | 'ERROR'
  /** It gets no new connections. */
  | 'DRAINING'
  /** It is disabled. */
  | 'OFFLINE'
  /** Nobody checks it. */
  | 'NO_MONITOR';

export interface TrafficStatistics {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly activeConnections: number;
  readonly totalConnections: number;
  readonly requestErrors: number;
}

export const NO_TRAFFIC: TrafficStatistics = {
  bytesIn: 0,
  bytesOut: 0,
  activeConnections: 0,
  totalConnections: 0,
  requestErrors: 0,
};

/** The statistics of a running load balancer. */
export interface BalancerStatistics {
  /** By listener, since its process began. */
  readonly listeners: ReadonlyMap<string, TrafficStatistics>;
  /** By member's id; in a pool of several listeners, the worst that any of them sees. */
  readonly members: ReadonlyMap<string, MemberHealth>;
  /** By member's id, what came of its last check, in a few words; of those that are checked. */
  readonly checks: ReadonlyMap<string, string>;
}
