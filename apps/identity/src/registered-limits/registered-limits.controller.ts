import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import {
  CreateRegisteredLimitsBody,
  ListRegisteredLimitsQuery,
  UpdateRegisteredLimitBody,
} from './registered-limit.dto.js';
import { RegisteredLimit } from './registered-limit.entity.js';
import { RegisteredLimitRepository } from './registered-limit.repository.js';
import { registeredLimitView } from './registered-limit.view.js';
import { RegisteredLimitsService } from './registered-limits.service.js';

@ApiTags('limits')
@Controller('v3/registered_limits')
export class RegisteredLimitsController {
  constructor(
    private readonly limits: RegisteredLimitRepository,
    private readonly service: RegisteredLimitsService,
  ) {}

  @Get()
  @Protected('identity:list_registered_limits')
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListRegisteredLimitsQuery,
  ): Promise<object> {
    const { service_id: serviceId, region_id: regionId, resource_name: resourceName } = query;
    const filter = { serviceId, regionId, resourceName, inexact: inexactFilters(query) };
    const limits = await this.limits.list(ctx, filter, query);
    return pageView(ctx, query, ['registered_limits', limits], registeredLimitView);
  }

  @Post()
  @Protected('identity:create_registered_limits')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateRegisteredLimitsBody,
  ): Promise<object> {
    const limits = await this.service.create(ctx, body.registered_limits);
    return { registered_limits: limits.map((limit) => registeredLimitView(limit, ctx.baseUrl)) };
  }

  @Get(':registered_limit_id')
  @Protected('identity:get_registered_limit')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('registered_limit_id') id: string,
  ): Promise<object> {
    return { registered_limit: registeredLimitView(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':registered_limit_id')
  @Protected('identity:update_registered_limit')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('registered_limit_id') id: string,
    @Body() body: UpdateRegisteredLimitBody,
  ): Promise<object> {
    const limit = await this.service.update(ctx, id, body.registered_limit);
    return { registered_limit: registeredLimitView(limit, ctx.baseUrl) };
  }

  @Delete(':registered_limit_id')
  @Protected('identity:delete_registered_limit')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('registered_limit_id') id: string): Promise<void> {
    return this.service.delete(ctx, id);
  }
}

@Feature({
  controllers: [RegisteredLimitsController],
  providers: [RegisteredLimitsService, RegisteredLimitRepository],
  entities: [RegisteredLimit],
})
export class RegisteredLimitsModule {}
