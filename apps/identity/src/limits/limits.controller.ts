import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import { CreateLimitsBody, ListLimitsQuery, UpdateLimitBody } from './limit.dto.js';
import { Limit } from './limit.entity.js';
import { LimitRepository } from './limit.repository.js';
import { limitView, MODEL } from './limit.view.js';
import { LimitsService } from './limits.service.js';
import { visibleLimits } from './visible-limits.js';

@ApiTags('limits')
@Controller('v3/limits')
export class LimitsController {
  constructor(
    private readonly limits: LimitRepository,
    private readonly service: LimitsService,
  ) {}

  @Get()
  @Protected('identity:list_limits')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListLimitsQuery): Promise<object> {
    const filter = {
      serviceId: query.service_id,
      regionId: query.region_id,
      resourceName: query.resource_name,
      projectId: query.project_id,
      domainId: query.domain_id,
      inexact: inexactFilters(query),
      visible: visibleLimits(ctx),
    };
    const limits = await this.limits.list(ctx, filter, query);
    return pageView(ctx, query, ['limits', limits], limitView);
  }

  @Post()
  @Protected('identity:create_limits')
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateLimitsBody): Promise<object> {
    const limits = await this.service.create(ctx, body.limits);
    return { limits: limits.map((limit) => limitView(limit, ctx.baseUrl)) };
  }

  @Get('model')
  @Protected('identity:get_limit_model')
  showModel(): object {
    return { model: MODEL };
  }

  @Get(':limit_id')
  @ProtectedInHandler('identity:get_limit')
  async show(@Ctx() ctx: RequestContext, @Param('limit_id') id: string): Promise<object> {
    return { limit: limitView(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':limit_id')
  @Protected('identity:update_limit')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('limit_id') id: string,
    @Body() { limit }: UpdateLimitBody,
  ): Promise<object> {
    return { limit: limitView(await this.service.update(ctx, id, limit), ctx.baseUrl) };
  }

  @Delete(':limit_id')
  @Protected('identity:delete_limit')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('limit_id') id: string): Promise<void> {
    return this.service.delete(ctx, id);
  }
}

@Feature({
  controllers: [LimitsController],
  providers: [LimitsService, LimitRepository],
  entities: [Limit],
})
export class LimitsModule {}
