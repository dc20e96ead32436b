import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import type { LoadBalancer } from './load-balancer.entity.js';

/** Work on load balancers without a host, which any worker may take. */
export const UNPLACED = 'load_balancer';

/** Work on a host's load balancers, which only that host's worker takes. */
export function taskOfHost(host: string): string {
  return `load_balancer@${host}`;
}

type Placed = Pick<LoadBalancer, 'id' | 'host'>;

export function taskOf({ host }: Pick<LoadBalancer, 'host'>): string {
  return host === null ? UNPLACED : taskOfHost(host);
}

export function nudgeLoadBalancer(ctx: RequestContext, one: Placed): Promise<void> {
  return nudge(ctx, { task: taskOf(one), resource: 'load_balancer', id: one.id });
}
