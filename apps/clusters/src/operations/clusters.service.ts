/** Public source: Container Infrastructure Management API reference, "Manage Cluster". */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import type { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import {
  ClusterTemplateNotFoundError,
  UnknownClusterTemplateError,
} from '../cluster-templates/cluster-template.errors.js';
import { clusterTemplates } from '../cluster-templates/cluster-template.repository.js';
import { pageOf } from '../http/paging.js';
import { randomName } from '../http/random-name.js';
import { nodeGroups } from '../node-groups/node-group.repository.js';
import { ClustersQuotas } from '../quotas/clusters-quotas.js';
import { SINCE, versionOf } from '../http/microversions.js';
import { beginWork, CLUSTER_TASK } from '../work/begin-work.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterId, ListClustersQuery, NewCluster } from '../clusters/cluster.resource.js';
import {
  HiddenClusterTemplateError,
  ZeroNodeCountNotSupportedError,
} from '../clusters/cluster.errors.js';
import { ClusterReferences } from './cluster-references.js';
import { clusterStates, timeColumns } from '../clusters/cluster.states.js';
import { clusters } from '../clusters/cluster.repository.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import { columnsOf, firstGroups, wishesOf } from './new-cluster.js';

@Injectable()
export class ClustersService {
  constructor(
    private readonly quotas: ClustersQuotas,
    private readonly references: ClusterReferences,
    private readonly trusts: ClusterTrusts,
  ) {}

  list(ctx: RequestContext, query: ListClustersQuery): Promise<PageOfRows<Cluster>> {
    return clusters.list(ctx, { ...pageOf<Cluster>(query), scope: reachable(ctx) });
  }

  /** @throws ClusterNotFoundError, AmbiguousClusterError */
  get(ctx: RequestContext, ident: string): Promise<Cluster> {
    return clusters.named(ctx, ident);
  }

  /** @throws InvalidClusterError, an error of reference.errors.ts, of labels, or of quotas */
  async create(ctx: RequestContext, given: NewCluster): Promise<ClusterId> {
    refuseZeroWorkers(ctx, given.nodeCount);
    const template = await templateFor(ctx, given.clusterTemplateId);
    const wishes = wishesOf(given, template, randomName('cluster'));
    const found = await this.references.find(ctx, wishes, template);
    const { nodeCount, masterCount } = wishes;
    const id = asId<ClusterId>(randomUUID());
    await this.trusts.withNew(ctx, (trustId) =>
      inTransaction(ctx, async (tx) => {
        await this.quotas.claim(tx, { Cluster: 1, Node: nodeCount + masterCount });
        const cluster = await clusters.insert(tx, {
          ...columnsOf(wishes),
          ...initialState(clusterStates),
          ...timeColumns(wishes),
          id,
          projectId: ctx.projectId,
          userId: ctx.userId,
          clusterTemplateId: template.id,
          publicKey: found.publicKey,
          blueprint: found.blueprint,
          trustId,
          trustorId: ctx.userId,
        });
        const groups = firstGroups(cluster, { wishes, template, image: found.image });
        await nodeGroups.insertAll(tx, groups);
        await nudge(tx, { task: CLUSTER_TASK, resource: 'cluster', id });
      }),
    );
    return id;
  }

  /** @throws ClusterNotFoundError */
  async delete(ctx: RequestContext, ident: string): Promise<void> {
    const cluster = await clusters.named(ctx, ident);
    await this.trusts.forDelete(ctx, cluster, (columns) =>
      inTransaction(ctx, (tx) =>
        beginWork(tx, cluster, 'remove', {
          doing: 'Deleting',
          set: { ...columns, conditions: {} },
          groups: 'all',
        }),
      ),
    );
  }
}

/** @throws ZeroNodeCountNotSupportedError before 1.10 */
export function refuseZeroWorkers(ctx: RequestContext, count: number | null | undefined): void {
  if (count === 0 && !versionOf(ctx).atLeast(SINCE.noWorkers))
    throw new ZeroNodeCountNotSupportedError();
}

/** A missing template is 404 since 1.10, and 400 before. */
async function templateFor(ctx: RequestContext, ident: string): Promise<ClusterTemplate> {
  try {
    const template = await clusterTemplates.namedToUse(ctx, ident);
    if (template.hidden && !ctx.isAdmin) throw new HiddenClusterTemplateError(ident);
    return template;
  } catch (error) {
    const isMissing = error instanceof ClusterTemplateNotFoundError;
    if (!isMissing || versionOf(ctx).atLeast(SINCE.noWorkers)) throw error;
    throw new UnknownClusterTemplateError(ident);
  }
}
