/** Load balancers of the data plane's own, which know TCP, UDP and SCTP alone. */

/** How members are checked: what does not answer gets no new connections. */
export interface BalancerCheckSpec {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /** Checks in a row that make a member good, or bad. */
  readonly successCount: number;
  readonly failureCount: number;
}

export interface BalancerMemberSpec {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** The network that it is on; null if it is on none of the cloud. */
  readonly networkId: string | null;
  /** An address of its subnet that nobody else has, to check it from; null for no checks. */
  readonly checkedFrom: string | null;
}

export interface BalancerListenerSpec {
  readonly id: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly port: number;
  /** For how long a client stays with its member; null for one connection. */
  readonly affinitySeconds: number | null;
  readonly check: BalancerCheckSpec | null;
  /** Connections to a listener without any are refused. */
  readonly members: readonly BalancerMemberSpec[];
}

/**
 * Spreads what comes to its addresses over members. Guests of its network reach it, those of its
 * project's networks behind the same routers, and whoever reaches a floating IP of its port.
 */
export interface BalancerSpec {
  readonly id: string;
  readonly projectId: string;
  /** The port that keeps its addresses, with its network and MAC. */
  readonly portId: string;
  readonly networkId: string;
  readonly macAddress: string;
  /** `cidr` is the subnet's. */
  readonly addresses: readonly { readonly address: string; readonly cidr: string }[];
  readonly listeners: readonly BalancerListenerSpec[];
}

/** Whether a member answers its checks; `error` where these cannot be made. */
export type CheckResult = 'online' | 'offline' | 'error';

/** By the balancer's id and the member's; of what is not checked, or not yet, it says nothing. */
export type BalancerHealth = ReadonlyMap<string, ReadonlyMap<string, CheckResult>>;
