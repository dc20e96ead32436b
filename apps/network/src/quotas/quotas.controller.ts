/** Public source: Networking API reference, "Quotas extension" and "Quota details". */
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { namesOf } from '@cumulet/common/quotas/define-quotas';
import { notFound } from '@cumulet/common/errors/domain-error';
import { Feature } from '@cumulet/common/service/feature';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { NETWORK_QUOTAS, NetworkQuotas } from './network-quotas.js';
import { limitsOf, QUOTA_SCHEMA } from './quota.dto.js';

const QuotaDetailView = answerClass('QuotaDetailView', {
  limit: Shown('integer', 'The limit; -1 means unlimited.'),
  used: Shown('integer', 'The current usage.'),
  reserved: Shown('integer', 'Always 0: there are no reservations.'),
});

const each = (shown: (about: string) => PropertyDecorator): Record<string, PropertyDecorator> =>
  Object.fromEntries(
    Object.entries(NETWORK_QUOTAS).map(([name, { about }]) => [name, shown(about)]),
  );

const QuotaView = answerClass(
  'QuotaView',
  each((about) => Shown('integer', about)),
);

const ListedQuotaView = answerClass('ListedQuotaView', {
  project_id: Shown(String, 'The ID of the project.'),
  tenant_id: Shown(String, 'The same as `project_id`.'),
  ...each((about) => Shown('integer', about)),
});

const QuotaDetailsView = answerClass(
  'QuotaDetailsView',
  each((about) => Shown(() => QuotaDetailView, about)),
);

const QuotaBody = shownUnder('quota', QuotaView, 'The limit; -1 means unlimited.');

const QuotaDetailsBody = shownUnder(
  'quota',
  QuotaDetailsView,
  'The limit and usage of each resource.',
);

const QuotaList = allUnder(
  'quotas',
  ListedQuotaView,
  'The quotas of projects that differ from the defaults.',
);

const NAMES = namesOf(NETWORK_QUOTAS);

@Controller('v2.0/quotas')
export class QuotasController {
  constructor(private readonly quotas: NetworkQuotas) {}

  @Get()
  @Allow('admin')
  @Operation('List the quotas of projects that have their own', QuotaList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    const projects = [...(await this.quotas.overridden(ctx)).keys()].map((id) =>
      asId<ProjectId>(id),
    );
    const quotas = await Promise.all(
      projects.map(async (id) => {
        const limits = await this.quotas.limits(ctx, id);
        return { project_id: id, tenant_id: id, ...limits };
      }),
    );
    return { quotas };
  }

  @Get(':project_id')
  @Allow('reader')
  @Operation('Show the quotas of a project', QuotaBody)
  async show(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<object> {
    return { quota: await this.quotas.limits(ctx, readable(ctx, id)) };
  }

  @Get(':project_id/default')
  @Allow('reader')
  @Operation('Show the default quotas', QuotaBody)
  async defaults(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<object> {
    readable(ctx, id);
    return { quota: await this.quotas.defaults(ctx) };
  }

  @Get(['details.json', 'details'].map((name) => `:project_id/${name}`))
  @Allow('reader')
  @Operation('Show the quotas of a project and their use', QuotaDetailsBody)
  async details(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<object> {
    const usage = await this.quotas.usage(ctx, readable(ctx, id));
    const quota = NAMES.map((name) => [name, { ...usage[name], reserved: 0 }]);
    return { quota: Object.fromEntries(quota) as object };
  }

  @Put(':project_id')
  @Allow('admin')
  @ApiBody({ schema: QUOTA_SCHEMA })
  @Operation('Update the quotas of a project', QuotaBody)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    const { limits, force } = limitsOf(body);
    await this.quotas.set(ctx, asId(id), limits, { force });
    return { quota: await this.quotas.limits(ctx, asId(id)) };
  }

  @Delete(':project_id')
  @Allow('admin')
  @Operation('Give a project the default quotas', null)
  async reset(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<void> {
    await this.quotas.reset(ctx, asId(id));
  }
}

class ProjectQuotaNotFoundError extends notFound(
  (projectId: string) => `Quota for project ${projectId} could not be found.`,
) {}

/** @throws ProjectQuotaNotFoundError for a project other than the caller's */
function readable(ctx: RequestContext, id: string): ProjectId {
  if (!mayActOn(ctx, id)) throw new ProjectQuotaNotFoundError(id);
  return asId(id);
}

@Feature({ controllers: [QuotasController], providers: [NetworkQuotas] })
export class QuotasModule {}
