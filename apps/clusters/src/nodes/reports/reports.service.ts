/** Stores reports of nodes, and wakes the clusters that wait for them. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { hasten } from '@cumulet/common/jobs/nudge';
import { CONFIG } from '@cumulet/common/service/tokens';
import { clusters } from '../../clusters/cluster.repository.js';
import type { ClustersConfig } from '../../config.js';
import type { ReportDto } from '../node.dto.js';
import type { Node } from '../node.entity.js';
import { nodes } from '../node.repository.js';

export interface ReportAnswer {
  /** The generation of certificates that it should have. */
  readonly generation: number;
  /** Seconds until the next report. */
  readonly interval: number;
  /** Members that this master should remove from etcd. */
  readonly etcd_remove: readonly string[];
  /** Whether to move its pods to other nodes. */
  readonly drain: boolean;
}

/** A member of etcd stays one until another removes it: being unhealthy is not leaving. */
const WRITE = `
  UPDATE nodes
     SET status = $2, phase = $3, message = $4, heard_at = clock_timestamp(),
         version = coalesce($5, version), pki_generation = coalesce($6, pki_generation),
         has_etcd = has_etcd OR (coalesce($7, false) AND fate IN ('wanted', 'retiring')),
         addons = coalesce($8, addons), is_drained = coalesce($9, is_drained)
   WHERE id = $1`;

const REMOVED = `
  UPDATE nodes SET has_etcd = false
    FROM (SELECT id AS own FROM nodes
           WHERE cluster_id = $1 AND fate = 'parting' AND has_etcd AND name = ANY($2)
           ORDER BY id FOR NO KEY UPDATE) AS held
   WHERE id = own`;

@Injectable()
export class ReportsService {
  constructor(@Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'reportSeconds'>) {}

  async take(ctx: RequestContext, node: Node, report: ReportDto): Promise<ReportAnswer> {
    const { etcd_removed: removed } = report;
    // In a transaction of its own, to avoid deadlocks between nodes.
    if (removed && removed.length > 0 && node.role === 'master')
      await preparedRows(ctx.manager, REMOVED, [node.clusterId, removed]);
    return inTransaction(ctx, async (tx) => {
      // First, in the same order as where work begins.
      await hasten(tx, 'cluster', [node.clusterId]);
      await preparedRows(tx.manager, WRITE, [
        node.id,
        report.status,
        report.phase,
        report.message,
        report.version ?? null,
        report.generation ?? null,
        report.etcd ?? null,
        report.addons ? JSON.stringify(report.addons) : null,
        report.drained ?? null,
      ]);
      return this.#answer(tx, node);
    });
  }

  async #answer(tx: RequestContext, node: Node): Promise<ReportAnswer> {
    const { pkiGeneration } = await clusters.get(tx, node.clusterId);
    const others = node.role === 'master' ? await nodes.ofCluster(tx, node.clusterId) : [];
    return {
      generation: pkiGeneration,
      interval: this.config.reportSeconds,
      etcd_remove: others
        .filter(({ fate, hasEtcd, id }) => fate === 'parting' && hasEtcd && id !== node.id)
        .map(({ name }) => name),
      drain: node.fate === 'parting' && node.role === 'worker',
    };
  }
}
