/** The quotas of a project, by resource. Public source: octavia, `api/v2/types/quotas.py`. */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas, namesOf } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';
import type { PartTable } from '../tree/tree.columns.js';

type Limit = (config: LoadBalancerConfig) => number;

const counted = (of: string, isThere: string) => ({
  as: 'count(*)',
  in: `${of} WHERE project_id = $1 AND ${isThere}`,
});

/** Parts that are being deleted do not count. */
const ofParts = (table: PartTable, about: string, limit: Limit) => ({
  about,
  default: limit,
  counted: counted(table, "provisioning_status <> 'PENDING_DELETE'"),
});

export const LOAD_BALANCER_QUOTAS = defineQuotas({
  loadbalancer: {
    about: 'Load balancers.',
    default: ({ loadBalancerQuota }: LoadBalancerConfig) => loadBalancerQuota,
    counted: counted('load_balancers', "state <> 'pending_delete'"),
  },
  listener: ofParts('listeners', 'Listeners.', ({ listenerQuota }) => listenerQuota),
  pool: ofParts('pools', 'Pools.', ({ poolQuota }) => poolQuota),
  member: ofParts('members', 'Members of all pools.', ({ memberQuota }) => memberQuota),
  healthmonitor: ofParts(
    'health_monitors',
    'Health monitors.',
    ({ healthMonitorQuota }) => healthMonitorQuota,
  ),
  l7policy: ofParts('l7_policies', 'L7 policies.', ({ l7PolicyQuota }) => l7PolicyQuota),
  l7rule: ofParts('l7_rules', 'L7 rules of all policies.', ({ l7RuleQuota }) => l7RuleQuota),
});

export type QuotaName = keyof typeof LOAD_BALANCER_QUOTAS;
export const QUOTA_NAMES = namesOf(LOAD_BALANCER_QUOTAS);

/** Former names of two quotas; clients send and read either. */
export const FORMER_NAMES = {
  load_balancer: 'loadbalancer',
  health_monitor: 'healthmonitor',
} as const satisfies Readonly<Record<string, QuotaName>>;

@Injectable()
export class LoadBalancerQuotas extends Quotas<QuotaName> {
  constructor(@Inject(CONFIG) config: LoadBalancerConfig) {
    super(LOAD_BALANCER_QUOTAS, config);
  }
}
