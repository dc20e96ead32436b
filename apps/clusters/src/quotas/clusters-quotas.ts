/** What limits a project. Public source: Container Infrastructure Management API reference, "Quota". */
import { Inject, Injectable } from '@nestjs/common';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { defineQuotas, namesOf } from '@cumulet/common/quotas/define-quotas';
import { QuotaExhaustedError } from '@cumulet/common/quotas/quota.errors';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ClustersConfig } from '../config.js';
import { ResourceLimitExceededError } from './quota.errors.js';

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

  /** @throws ResourceLimitExceededError where nothing is left, which Magnum does not tell from too little */
  override async claim(
    tx: RequestContext,
    wanted: Partial<Record<QuotaName, number>>,
    projectId?: ProjectId,
  ): Promise<void> {
    try {
      await super.claim(tx, wanted, projectId);
    } catch (error) {
      if (error instanceof QuotaExhaustedError) throw new ResourceLimitExceededError(error);
      throw error;
    }
  }
}
