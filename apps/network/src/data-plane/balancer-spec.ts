/** Load balancers that the data plane provides itself, for TCP, UDP and SCTP. */

/** Health checks of members. A member that fails them gets no new connections. */
export interface BalancerCheckSpec {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /** Results in a row after which a member's health changes. */
  readonly successCount: number;
  readonly failureCount: number;
}

export interface BalancerMemberSpec {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** Null for a member outside the cloud's networks. */
  readonly networkId: string | null;
  /** A reserved address of the member's subnet that checks are sent from; null for no checks. */
  readonly checkedFrom: string | null;
}

export interface BalancerListenerSpec {
  readonly id: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly port: number;
  /** Seconds for which a client stays with the same member; null to balance each connection. */
  readonly affinitySeconds: number | null;
  readonly check: BalancerCheckSpec | null;
  /** Connections to a listener without members are refused. */
  readonly members: readonly BalancerMemberSpec[];
}

/**
 * Balances connections over members. It is reachable from its network, from networks of its project
 * behind the same routers, and through floating IPs of its port.
 */
export interface BalancerSpec {
  readonly id: string;
  readonly projectId: string;
  /** The port that reserves its addresses. */
  readonly portId: string;
  readonly networkId: string;
  readonly macAddress: string;
  /** `cidr` is that of the subnet. */
  readonly addresses: readonly { readonly address: string; readonly cidr: string }[];
  readonly listeners: readonly BalancerListenerSpec[];
}

/** `error` if checks cannot be sent. */
export type CheckResult = 'online' | 'offline' | 'error';

/** Results by balancer ID and member ID; members that are not checked, or not yet, are absent. */
export type BalancerHealth = ReadonlyMap<string, ReadonlyMap<string, CheckResult>>;
