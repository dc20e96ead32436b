/** Public source: Key Manager API reference, "Quotas API". */
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import type { ProjectId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { ObjectField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { answerOf, bodyOf } from '@cumulet/common/resources/classes';
import { integer, orUnset } from '@cumulet/common/resources/field-type';
import { Feature } from '@cumulet/common/service/feature';
import type { Units } from '@cumulet/common/quotas/define-quotas';
import { pageClass, PageQuery, pageView } from '../http/pages.js';
import { QUOTA_NAMES, SECRET_QUOTAS, SecretQuotas, type SecretQuota } from './secret-quotas.js';

type Limits = Partial<Units<SecretQuota>>;

/** -1 is no limit; in Barbican, any negative number. */
const limit = integer({ min: -1, max: 1_000_000_000 });

/** Null for the default. */
const ownQuotas = Object.fromEntries(
  QUOTA_NAMES.map((name) => [
    name,
    attribute(orUnset(limit), { about: SECRET_QUOTAS[name].about }),
  ]),
);

class ProjectQuotasDto extends bodyOf(ownQuotas) {}

class ProjectQuotasBody {
  @ObjectField(() => ProjectQuotasDto, { description: 'Quotas that are left out are the default.' })
  project_quotas: ProjectQuotasDto;
}

class ProjectQuotas extends answerOf(ownQuotas) {}

const EffectiveQuotas = answerClass(
  'EffectiveQuotas',
  Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, Shown('integer', SECRET_QUOTAS[name].about)]),
  ),
);

const QuotasView = shownUnder(
  'quotas',
  EffectiveQuotas,
  'The limits of the project; -1 is no limit.',
);

const own = Shown(() => ProjectQuotas, 'The limits of the project itself; null is the default.');

const ProjectQuotasView = answerClass('ProjectQuotasView', { project_quotas: own });

const ProjectQuotasPage = pageClass(
  'project_quotas',
  answerClass('QuotasOfProject', {
    project_id: Shown(String, 'The ID of the project.'),
    project_quotas: own,
  }),
);

@Controller('v1/quotas')
export class QuotasController {
  constructor(private readonly quotas: SecretQuotas) {}

  @Get()
  @Allow('reader')
  @Operation('Show the quotas of the project', QuotasView)
  async show(@Ctx() ctx: RequestContext): Promise<object> {
    return { quotas: await this.quotas.limits(ctx, ctx.projectId) };
  }
}

@ApiTags('quotas')
@Controller('v1/project-quotas')
export class ProjectQuotasController {
  constructor(private readonly quotas: SecretQuotas) {}

  @Get()
  @Allow('admin')
  @Operation('List the quotas of projects that have their own', ProjectQuotasPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() { limit: asked = 10, offset = 0 }: PageQuery,
  ): Promise<object> {
    const all = [...(await this.quotas.overridden(ctx))];
    const limit = Math.min(asked, 100);
    const page = { rows: all.slice(offset, offset + limit), total: all.length, limit, offset };
    return pageView(ctx, 'project_quotas', page, ([project_id, limits]) => ({
      project_id,
      project_quotas: viewOf(limits),
    }));
  }

  @Get(':project_id')
  @Allow('admin')
  @Operation('Show the quotas of a project', ProjectQuotasView)
  async show(@Ctx() ctx: RequestContext, @Param('project_id') id: ProjectId): Promise<object> {
    return { project_quotas: viewOf(await this.#own(ctx, id)) };
  }

  /** Quotas that the body does not have return to the default. */
  @Put(':project_id')
  @Allow('admin')
  @Operation('Set the quotas of a project', null)
  async set(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: ProjectId,
    @Body() { project_quotas: { ...limits } }: ProjectQuotasBody,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await this.quotas.reset(tx, id);
      await this.quotas.set(tx, id, limits, { force: true });
    });
  }

  @Delete(':project_id')
  @Allow('admin')
  @Operation('Give a project the default quotas', null)
  async reset(@Ctx() ctx: RequestContext, @Param('project_id') id: ProjectId): Promise<void> {
    await this.#own(ctx, id);
    await this.quotas.reset(ctx, id);
  }

  async #own(ctx: RequestContext, id: ProjectId): Promise<Limits> {
    const limits = (await this.quotas.overridden(ctx)).get(id);
    if (!limits) throw new DomainError('not-found', `Project ${id} has no quotas of its own.`);
    return limits;
  }
}

function viewOf(limits: Limits): object {
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, limits[name] ?? null]));
}

@Feature({
  controllers: [QuotasController, ProjectQuotasController],
  providers: [SecretQuotas],
})
export class QuotasModule {}
