import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { nextOf } from '../http/paging.js';
import { ClustersQuotas } from './clusters-quotas.js';
import { ProjectQuotasService } from './project-quotas.service.js';
import {
  ListQuotasQuery,
  Quota,
  QuotaDto,
  QuotaList,
  quotaView,
  QuotaView,
} from './quota.resource.js';

@Controller('v1/quotas')
export class QuotasController {
  constructor(private readonly quotas: ProjectQuotasService) {}

  @Get()
  @Allow('admin')
  @Operation('List quotas', QuotaList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListQuotasQuery): Promise<object> {
    const page = await this.quotas.list(ctx, query);
    return { quotas: page.rows.map(quotaView), ...nextOf(ctx, 'quotas', query, page) };
  }

  @Post()
  @Allow('admin')
  @Operation('Set a quota', QuotaView, { creates: true, errors: [404, 409] })
  async create(@Ctx() ctx: RequestContext, @Body() body: QuotaDto): Promise<object> {
    return quotaView(await this.quotas.create(ctx, body));
  }

  @Get(':project_id/:resource')
  @Allow('reader')
  @Operation('Show a quota', QuotaView)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('resource') resource: string,
  ): Promise<object> {
    return quotaView(await this.quotas.show(ctx, projectId, resource));
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
    return quotaView(await this.quotas.update(ctx, projectId, resource, body));
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

@Feature({
  controllers: [QuotasController],
  providers: [ClustersQuotas, ProjectQuotasService],
  entities: [Quota],
})
export class QuotasModule {}
