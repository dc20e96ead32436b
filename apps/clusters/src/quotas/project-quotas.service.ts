/** Quotas set for single projects. */
import { Injectable } from '@nestjs/common';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { pageOf } from '../http/paging.js';
import { References } from '../references/references.js';
import { ClustersQuotas, QUOTA_NAMES, type QuotaName } from './clusters-quotas.js';
import {
  givenBy,
  quotaRows,
  QuotaNotFoundError,
  QuotaProjectMissingError,
  type ListQuotasQuery,
  type ProjectQuota,
  type Quota,
  type QuotaDto,
} from './quota.resource.js';

/** Magnum's default for an absent hard_limit. */
const DEFAULT_LIMIT = 1;

@Injectable()
export class ProjectQuotasService {
  constructor(
    private readonly quotas: ClustersQuotas,
    private readonly references: References,
  ) {}

  /** Lists only quotas that were set. */
  list(ctx: RequestContext, query: ListQuotasQuery): Promise<PageOfRows<Quota>> {
    const scope = query.all_tenants === true ? [] : [equals('projectId', ctx.projectId)];
    return quotaRows.list(ctx, { ...pageOf<Quota>(query), scope });
  }

  /** @throws QuotaNotFoundError for another project's, and for an unknown resource */
  async show(ctx: RequestContext, projectId: string, resource: string): Promise<ProjectQuota> {
    if (!ctx.isAdmin && projectId !== ctx.projectId)
      throw new QuotaNotFoundError(projectId, resource);
    const name = nameOf(projectId, resource);
    const own = await quotaRows.of(ctx, projectId, name);
    if (own) return own;
    const limits = await this.quotas.limits(ctx, asId<ProjectId>(projectId));
    return { projectId, resource: name, hardLimit: limits[name] };
  }

  /** @throws QuotaProjectMissingError, ProjectNotFoundError, DomainError of kind `conflict` */
  async create(ctx: RequestContext, dto: QuotaDto): Promise<Quota> {
    const { projectId, resource = 'Cluster', hardLimit = DEFAULT_LIMIT } = givenBy(dto);
    if (!projectId) throw new QuotaProjectMissingError();
    await this.references.project(ctx, projectId);
    return inTransaction(ctx, async (tx) => {
      // The limit is set first, since the row shows it. A duplicate row rolls it back.
      await this.#limit(tx, projectId, resource, hardLimit);
      return quotaRows.insert(tx, { projectId, resource });
    });
  }

  /** @throws QuotaNotFoundError */
  async update(
    ctx: RequestContext,
    projectId: string,
    resource: string,
    dto: QuotaDto,
  ): Promise<Quota> {
    const name = nameOf(projectId, resource);
    return inTransaction(ctx, async (tx) => {
      const { id, hardLimit } = await this.#own(tx, projectId, name);
      await this.#limit(tx, projectId, name, givenBy(dto).hardLimit ?? hardLimit);
      return quotaRows.update(tx, { id }, { resource: name });
    });
  }

  /** @throws QuotaNotFoundError */
  async delete(ctx: RequestContext, projectId: string, resource: string): Promise<void> {
    const name = nameOf(projectId, resource);
    await inTransaction(ctx, async (tx) => {
      const { id } = await this.#own(tx, projectId, name);
      await quotaRows.delete(tx, { id });
      const { [name]: _gone, ...others } = (await this.quotas.overridden(tx)).get(projectId) ?? {};
      await this.quotas.reset(tx, asId(projectId));
      await this.quotas.set(tx, asId(projectId), others, { force: true });
    });
  }

  async #own(ctx: RequestContext, projectId: string, name: QuotaName): Promise<Quota> {
    const own = await quotaRows.of(ctx, projectId, name);
    if (!own) throw new QuotaNotFoundError(projectId, name);
    return own;
  }

  async #limit(
    tx: RequestContext,
    projectId: string,
    resource: QuotaName,
    limit: number,
  ): Promise<void> {
    await this.quotas.set(tx, asId(projectId), { [resource]: limit }, { force: true });
  }
}

function nameOf(projectId: string, resource: string): QuotaName {
  const name = QUOTA_NAMES.find((one) => one === resource);
  if (!name) throw new QuotaNotFoundError(projectId, resource);
  return name;
}
