/** Public source: Load Balancer API reference, "Quotas"; octavia, `api/v2/controllers/quotas.py`. */
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import type { Query as ListQuery } from '@cumulet/common/resources/list-query';
import { pageLinks } from '@cumulet/common/resources/page-links';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { NotFoundError } from '../resources/octavia.errors.js';
import { LoadBalancerQuotas } from './load-balancer-quotas.js';
import { ProjectQuotasService } from './project-quotas.service.js';
import { QuotaBody, QuotaList, quotaView, limitsOf, UpdateQuotaBody } from './quota.dto.js';

@Controller('v2.0/lbaas/quotas')
export class QuotasController {
  constructor(
    private readonly quotas: LoadBalancerQuotas,
    private readonly projects: ProjectQuotasService,
  ) {}

  @Get()
  @Allow('reader')
  @ApiQueries(['project_id', 'limit', 'marker', 'page_reverse'])
  @Operation('List the quotas of projects that have their own', QuotaList)
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const rows = await this.projects.list(ctx, query as ListQuery);
    return {
      quotas: rows.map(({ id, limits }) => quotaView(limits, id)),
      quotas_links: pageLinks(ctx, query as ListQuery, rows),
    };
  }

  @Get('defaults')
  @Allow('reader')
  @Operation('Show the default quotas', QuotaBody)
  async defaults(@Ctx() ctx: RequestContext): Promise<object> {
    return { quota: quotaView(await this.quotas.defaults(ctx)) };
  }

  @Get(':project_id')
  @Allow('reader')
  @Operation('Show the quotas of a project', QuotaBody)
  async show(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<object> {
    return { quota: quotaView(await this.quotas.limits(ctx, readable(ctx, id)), id) };
  }

  @Get(':project_id/default')
  @Allow('reader')
  @Operation('Show the default quotas of a project', QuotaBody)
  async defaultsOf(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<object> {
    readable(ctx, id);
    return { quota: quotaView(await this.quotas.defaults(ctx), id) };
  }

  @Put(':project_id')
  @Allow('admin')
  @Operation('Update the quotas of a project', QuotaBody, { status: 202 })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Body() body: UpdateQuotaBody,
  ): Promise<object> {
    await this.projects.set(ctx, asId(id), limitsOf(body));
    return { quota: quotaView(await this.quotas.limits(ctx, asId(id)), id) };
  }

  @Delete(':project_id')
  @Allow('admin')
  @Operation('Give a project the default quotas', null, { status: 202 })
  async reset(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<void> {
    await this.projects.reset(ctx, asId(id));
  }
}

/** @throws NotFoundError for another project than the caller's */
function readable(ctx: RequestContext, id: string): ProjectId {
  if (!mayActOn(ctx, id)) throw new NotFoundError('Quotas', id);
  return asId(id);
}

@Feature({
  controllers: [QuotasController],
  providers: [LoadBalancerQuotas, ProjectQuotasService],
})
export class QuotasModule {}
