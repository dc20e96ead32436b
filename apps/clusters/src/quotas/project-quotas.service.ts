/** Limits that projects have of their own. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { References } from '../references/references.js';
import { ClustersQuotas, QUOTA_NAMES, type QuotaName } from './clusters-quotas.js';
import type { QuotaDto } from './quota.dto.js';
import { QuotaExistsError, QuotaNotFoundError, QuotaProjectMissingError } from './quota.errors.js';

export interface ProjectQuota {
  readonly projectId: string;
  readonly resource: QuotaName;
  readonly limit: number;
  /** Whether it was set for the project. */
  readonly isOwn: boolean;
}

/** Magnum's, where a body says nothing. */
const DEFAULT_LIMIT = 1;

@Injectable()
export class ProjectQuotasService {
  constructor(
    private readonly quotas: ClustersQuotas,
    private readonly references: References,
  ) {}

  /** Those that are set, by project and resource. */
  async list(ctx: RequestContext, ofAll: boolean): Promise<ProjectQuota[]> {
    const own = await this.quotas.overridden(ctx);
    return [...own]
      .filter(([projectId]) => ofAll || projectId === ctx.projectId)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([projectId, limits]) =>
        QUOTA_NAMES.flatMap((resource) => {
          const limit = limits[resource];
          return limit === undefined ? [] : [{ projectId, resource, limit, isOwn: true }];
        }),
      );
  }

  /** @throws QuotaNotFoundError for another project's, and for what is limited by nothing */
  async show(ctx: RequestContext, projectId: string, resource: string): Promise<ProjectQuota> {
    if (!ctx.isAdmin && projectId !== ctx.projectId)
      throw new QuotaNotFoundError(projectId, resource);
    const name = nameOf(projectId, resource);
    const own = (await this.quotas.overridden(ctx)).get(projectId)?.[name];
    const limits = await this.quotas.limits(ctx, asId<ProjectId>(projectId));
    return { projectId, resource: name, limit: limits[name], isOwn: own !== undefined };
  }

  /** @throws QuotaProjectMissingError, ProjectNotFoundError, QuotaExistsError */
  async create(ctx: RequestContext, dto: QuotaDto): Promise<ProjectQuota> {
    const { project_id: projectId, resource = 'Cluster', hard_limit: limit } = dto;
    if (!projectId) throw new QuotaProjectMissingError();
    await this.references.project(ctx, projectId);
    const name = resource ?? 'Cluster';
    return inTransaction(ctx, async (tx) => {
      if ((await this.#own(tx, projectId, name)) !== undefined)
        throw new QuotaExistsError(projectId, name);
      return this.#set(tx, projectId, name, limit ?? DEFAULT_LIMIT);
    });
  }

  /** @throws QuotaNotFoundError */
  async update(
    ctx: RequestContext,
    projectId: string,
    resource: string,
    dto: QuotaDto,
  ): Promise<ProjectQuota> {
    const name = nameOf(projectId, resource);
    return inTransaction(ctx, async (tx) => {
      const own = await this.#own(tx, projectId, name);
      if (own === undefined) throw new QuotaNotFoundError(projectId, resource);
      return this.#set(tx, projectId, name, dto.hard_limit ?? own);
    });
  }

  /** @throws QuotaNotFoundError */
  async delete(ctx: RequestContext, projectId: string, resource: string): Promise<void> {
    const name = nameOf(projectId, resource);
    await inTransaction(ctx, async (tx) => {
      const own = (await this.quotas.overridden(tx)).get(projectId) ?? {};
      if (own[name] === undefined) throw new QuotaNotFoundError(projectId, resource);
      const { [name]: _gone, ...others } = own;
      await this.quotas.reset(tx, asId(projectId));
      await this.quotas.set(tx, asId(projectId), others, { force: true });
    });
  }

  async #own(ctx: RequestContext, projectId: string, name: QuotaName): Promise<number | undefined> {
    return (await this.quotas.overridden(ctx)).get(projectId)?.[name];
  }

  async #set(
    tx: RequestContext,
    projectId: string,
    resource: QuotaName,
    limit: number,
  ): Promise<ProjectQuota> {
    await this.quotas.set(tx, asId(projectId), { [resource]: limit }, { force: true });
    return { projectId, resource, limit, isOwn: true };
  }
}

function nameOf(projectId: string, resource: string): QuotaName {
  const name = QUOTA_NAMES.find((one) => one === resource);
  if (!name) throw new QuotaNotFoundError(projectId, resource);
  return name;
}

/** The number that Magnum's clients show as a quota's id: the same for the same quota. */
export function numberOf({ projectId, resource }: ProjectQuota): number {
  return createHash('sha256').update(`${projectId}:${resource}`).digest().readUInt32BE() % 2 ** 31;
}
