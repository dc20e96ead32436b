/** What limits a project, by the names of the resources. Public source: octavia, `api/v2/types/quotas.py`. */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas, namesOf } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';
import type { PartTable } from '../tree/tree.columns.js';

/** What is being deleted counts no longer. */
const parts = (table: PartTable) => ({
  as: 'count(*)',
  in: `${table} WHERE project_id = $1 AND provisioning_status <> 'PENDING_DELETE'`,
});

export const LOAD_BALANCER_QUOTAS = defineQuotas({
  loadbalancer: {
    about: 'Load balancers.',
    default: ({ loadBalancerQuota }: LoadBalancerConfig) => loadBalancerQuota,
    counted: {
      as: 'count(*)',
      in: "load_balancers WHERE project_id = $1 AND state <> 'pending_delete'",
    },
  },
  listener: {
    about: 'Listeners.',
    default: ({ listenerQuota }: LoadBalancerConfig) => listenerQuota,
    counted: parts('listeners'),
  },
  pool: {
    about: 'Pools.',
    default: ({ poolQuota }: LoadBalancerConfig) => poolQuota,
    counted: parts('pools'),
  },
  member: {
    about: 'Members of all pools.',
    default: ({ memberQuota }: LoadBalancerConfig) => memberQuota,
    counted: parts('members'),
  },
  healthmonitor: {
    about: 'Health monitors.',
    default: ({ healthMonitorQuota }: LoadBalancerConfig) => healthMonitorQuota,
    counted: parts('health_monitors'),
  },
  l7policy: {
    about: 'L7 policies.',
    default: ({ l7PolicyQuota }: LoadBalancerConfig) => l7PolicyQuota,
    counted: parts('l7_policies'),
  },
  l7rule: {
    about: 'L7 rules of all policies.',
    default: ({ l7RuleQuota }: LoadBalancerConfig) => l7RuleQuota,
    counted: parts('l7_rules'),
  },
});

export type QuotaName = keyof typeof LOAD_BALANCER_QUOTAS;
export const QUOTA_NAMES = namesOf(LOAD_BALANCER_QUOTAS);

/** What two of them were called at first; clients send and read either. */
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
