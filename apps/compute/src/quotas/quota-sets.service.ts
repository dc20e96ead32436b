import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { notFound } from '@cumulet/common/errors/domain-error';
import type { QuotaUsage } from '@cumulet/common/quotas/check-quota';
import { InvalidProjectError, PROJECTS, type Projects } from '../projects.port.js';
import { ComputeQuotas, type ComputeLimits, type ComputeQuota } from './compute-quotas.js';

/** The only effective class: all projects without limits of their own. */
const DEFAULT_CLASS = 'default';

/** Also for another project than the caller's, so that nobody learns of it. */
export class ProjectNotFoundError extends notFound(
  (id: string) => `Project ${id} could not be found.`,
) {}

class QuotaClassNotFoundError extends notFound(
  (id: string) => `Quota class ${id} could not be found. The only one is ${DEFAULT_CLASS}.`,
) {}

/** Public source: Nova API reference, "Quota sets (os-quota-sets)". */
@Injectable()
export class QuotaSetsService {
  constructor(
    private readonly quotas: ComputeQuotas,
    @Inject(PROJECTS) private readonly projects: Projects,
  ) {}

  /** @throws what `#project` throws */
  async show(ctx: RequestContext, id: string): Promise<ComputeLimits> {
    return this.quotas.limits(ctx, await this.#project(ctx, id));
  }

  /** @throws what `#project` throws */
  async detail(
    ctx: RequestContext,
    id: string,
  ): Promise<Readonly<Record<ComputeQuota, QuotaUsage>>> {
    return this.quotas.usage(ctx, await this.#project(ctx, id));
  }

  defaults(ctx: RequestContext): Promise<ComputeLimits> {
    return this.quotas.defaults(ctx);
  }

  /** @throws QuotaBelowUsageError unless `force`; what `#project` throws */
  async update(
    ctx: RequestContext,
    id: string,
    limits: Partial<ComputeLimits>,
    force: boolean,
  ): Promise<ComputeLimits> {
    const projectId = await this.#project(ctx, id);
    await this.quotas.set(ctx, projectId, limits, { force });
    return this.quotas.limits(ctx, projectId);
  }

  /** Also of a deleted project, whose limits remain. */
  reset(ctx: RequestContext, id: string): Promise<void> {
    return this.quotas.reset(ctx, asId(id));
  }

  /** @throws QuotaClassNotFoundError */
  async showClass(ctx: RequestContext, id: string): Promise<ComputeLimits> {
    if (id !== DEFAULT_CLASS) throw new QuotaClassNotFoundError(id);
    return this.quotas.defaults(ctx);
  }

  /** @throws QuotaClassNotFoundError */
  async updateClass(
    ctx: RequestContext,
    id: string,
    limits: Partial<ComputeLimits>,
  ): Promise<ComputeLimits> {
    if (id !== DEFAULT_CLASS) throw new QuotaClassNotFoundError(id);
    await this.quotas.setDefaults(ctx, limits);
    return this.quotas.defaults(ctx);
  }

  /** @throws ProjectNotFoundError where the caller may not act; InvalidProjectError if unknown */
  async #project(ctx: RequestContext, id: string): Promise<ProjectId> {
    if (id === ctx.projectId) return ctx.projectId;
    if (!mayActOn(ctx, id)) throw new ProjectNotFoundError(id);
    if (!(await this.projects.exists(asCaller(ctx), id))) throw new InvalidProjectError(id);
    return asId(id);
  }
}
