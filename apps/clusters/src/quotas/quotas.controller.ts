import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ClustersQuotas } from './clusters-quotas.js';
import { numberOf, ProjectQuotasService, type ProjectQuota } from './project-quotas.service.js';
import { ListQuotasQuery, QuotaDto, QuotaList, QuotaView } from './quota.dto.js';

@ApiTags('quotas')
@Controller('v1/quotas')
export class QuotasController {
  constructor(private readonly quotas: ProjectQuotasService) {}

  @Get()
  @Allow('admin')
  @Operation('List quotas', QuotaList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListQuotasQuery): Promise<object> {
    const all = await this.quotas.list(ctx, query.all_tenants ?? false);
    return { quotas: all.slice(0, query.limit ?? all.length).map(view) };
  }

  @Post()
  @Allow('admin')
  @Operation('Set a quota', QuotaView, { creates: true, errors: [404, 409] })
  async create(@Ctx() ctx: RequestContext, @Body() body: QuotaDto): Promise<object> {
    return view(await this.quotas.create(ctx, body));
  }

  @Get(':project_id/:resource')
  @Allow('reader')
  @Operation('Show a quota', QuotaView)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('resource') resource: string,
  ): Promise<object> {
    return view(await this.quotas.show(ctx, projectId, resource));
  }

  @Patch(':project_id/:resource')
  @Allow('admin')
  @Operation('Update a quota', QuotaView, { status: 202 })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('resource') resource: string,
    @Body() body: QuotaDto,
  ): Promise<object> {
    return view(await this.quotas.update(ctx, projectId, resource, body));
  }

  @Delete(':project_id/:resource')
  @Allow('admin')
  @Operation('Delete a quota', null)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('resource') resource: string,
  ): Promise<void> {
    await this.quotas.delete(ctx, projectId, resource);
  }
}

function view(quota: ProjectQuota): object {
  const { projectId, resource, limit, isOwn } = quota;
  return {
    ...(isOwn ? { id: numberOf(quota) } : {}),
    project_id: projectId,
    resource,
    hard_limit: limit,
  };
}

@Feature({ controllers: [QuotasController], providers: [ClustersQuotas, ProjectQuotasService] })
export class QuotasModule {}
