/** The limits that projects have of their own. */
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Units } from '@cumulet/common/quotas/define-quotas';
import { isReverse, limitOf, valuesOf, type Query } from '@cumulet/common/resources/list-query';
import { NotFoundError } from '../resources/octavia.errors.js';
import { LoadBalancerQuotas, type QuotaName } from './load-balancer-quotas.js';

type Limits = Partial<Units<QuotaName>>;

export interface ProjectQuota {
  /** The project's. */
  readonly id: string;
  readonly limits: Limits;
}

@Injectable()
export class ProjectQuotasService {
  constructor(private readonly quotas: LoadBalancerQuotas) {}

  /** A page of those that the caller sees, by the projects' ids. */
  async list(ctx: RequestContext, query: Query): Promise<ProjectQuota[]> {
    const asked = valuesOf(query, 'project_id');
    const all = [...(await this.quotas.overridden(ctx))]
      .map(([id, limits]) => ({ id, limits }))
      .filter(({ id }) => mayActOn(ctx, id) && (asked.length === 0 || asked.includes(id)));
    return pageOf(all, query);
  }

  /** Limits that are not named are kept; null restores the default. */
  async set(
    ctx: RequestContext,
    id: ProjectId,
    changes: Partial<Record<QuotaName, number | null>>,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const own = (await this.quotas.overridden(tx)).get(id) ?? {};
      const merged = Object.entries({ ...own, ...changes }).filter((one) => one[1] !== null);
      await this.quotas.reset(tx, id);
      await this.quotas.set(tx, id, Object.fromEntries(merged), { force: true });
    });
  }

  /** @throws NotFoundError if it has none of its own */
  async reset(ctx: RequestContext, id: ProjectId): Promise<void> {
    if (!(await this.quotas.overridden(ctx)).has(id)) throw new NotFoundError('Quotas', id);
    await this.quotas.reset(ctx, id);
  }
}

/** As lists of tables are paged, over rows that are few and at hand. */
function pageOf(rows: readonly ProjectQuota[], query: Query): ProjectQuota[] {
  const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  const limit = limitOf(query) || sorted.length;
  const [marker] = valuesOf(query, 'marker');
  if (!isReverse(query)) {
    const after = marker === undefined ? sorted : sorted.filter(({ id }) => id > marker);
    return after.slice(0, limit);
  }
  const before = marker === undefined ? sorted : sorted.filter(({ id }) => id < marker);
  return before.slice(-limit);
}
