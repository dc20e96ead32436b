/** Load balancers of the network service's own data plane. */

export interface BalancerCheck {
  /** Seconds. */
  readonly interval: number;
  readonly timeout: number;
  /** Consecutive checks after which a member is healthy, or failed. */
  readonly successCount: number;
  readonly failureCount: number;
}

export interface BalancerMember {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** Null for the VIP's own network. */
  readonly subnetId: string | null;
}

export interface BalancerListener {
  readonly id: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly port: number;
  /** Seconds of session affinity; null for one connection. */
  readonly affinityTimeout: number | null;
  readonly check: BalancerCheck | null;
  readonly members: readonly BalancerMember[];
}

export interface NewBalancer {
  readonly id: string;
  readonly projectId: string;
  readonly vipPortId: string;
  readonly isEnabled: boolean;
  readonly listeners: readonly BalancerListener[];
}

export interface Balancer {
  readonly id: string;
  /** ACTIVE once the data plane has the last request; else BUILD or ERROR. */
  readonly status: string;
  readonly statusReason: string | null;
  /** By id, for members that have been checked. */
  readonly members: ReadonlyMap<string, 'online' | 'offline' | 'error'>;
}

export interface WireBalancer {
  readonly id: string;
  readonly status: string;
  readonly status_reason: string | null;
  readonly members: readonly {
    readonly id: string;
    readonly status: 'online' | 'offline' | 'error';
  }[];
}

export function balancerFromWire({ id, status, status_reason, members }: WireBalancer): Balancer {
  const health = members.map((one) => [one.id, one.status] as const);
  return { id, status, statusReason: status_reason, members: new Map(health) };
}

export function balancerToWire(balancer: NewBalancer): object {
  return {
    project_id: balancer.projectId,
    vip_port_id: balancer.vipPortId,
    admin_state_up: balancer.isEnabled,
    listeners: balancer.listeners.map(({ id, protocol, port, affinityTimeout, ...rest }) => ({
      id,
      protocol,
      protocol_port: port,
      affinity_timeout: affinityTimeout,
      health_check: rest.check && {
        interval: rest.check.interval,
        timeout: rest.check.timeout,
        success_count: rest.check.successCount,
        failure_count: rest.check.failureCount,
      },
      members: rest.members.map((member) => ({
        id: member.id,
        address: member.address,
        protocol_port: member.port,
        subnet_id: member.subnetId,
      })),
    })),
  };
}
