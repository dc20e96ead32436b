/** Public source: Container Infrastructure Management API reference, "Quota". */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas, namesOf } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ClustersConfig } from '../config.js';

export const CLUSTERS_QUOTAS = defineQuotas({
  Cluster: {
    about: 'Clusters.',
    default: ({ clusterQuota }: ClustersConfig) => clusterQuota,
    counted: { as: 'count(*)', in: 'clusters WHERE project_id = $1' },
  },
  Node: {
    about: 'Nodes of all clusters.',
    default: ({ nodeQuota }: ClustersConfig) => nodeQuota,
    counted: {
      as: 'coalesce(sum(node_count), 0)',
      in: 'node_groups WHERE project_id = $1 AND NOT is_leaving',
    },
  },
});

export type QuotaName = keyof typeof CLUSTERS_QUOTAS;
export const QUOTA_NAMES = namesOf(CLUSTERS_QUOTAS);

@Injectable()
export class ClustersQuotas extends Quotas<QuotaName> {
  constructor(@Inject(CONFIG) config: ClustersConfig) {
    super(CLUSTERS_QUOTAS, config);
  }
}
