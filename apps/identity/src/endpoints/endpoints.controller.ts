import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { CreateEndpointBody, ListEndpointsQuery, UpdateEndpointBody } from './endpoint.dto.js';
import { EndpointRepository } from './endpoint.repository.js';
import { endpointView } from './endpoint.view.js';
import { EndpointsService } from './endpoints.service.js';

@ApiTags('endpoints')
@Controller('v3/endpoints')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly service: EndpointsService,
  ) {}

  @Get()
  @Protected('identity:list_endpoints')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListEndpointsQuery): Promise<object> {
    const { service_id: serviceId, region_id: regionId } = query;
    const inexact = inexactFilters(query);
    const filter = { interface: query.interface, serviceId, regionId, inexact };
    const endpoints = await this.endpoints.list(ctx, filter, query);
    return pageView(ctx, query, ['endpoints', endpoints], endpointView);
  }

  @Post()
  @Protected('identity:create_endpoint')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { endpoint }: CreateEndpointBody,
  ): Promise<object> {
    return { endpoint: endpointView(await this.service.create(ctx, endpoint), ctx.baseUrl) };
  }

  @Get(':endpoint_id')
  @Protected('identity:get_endpoint')
  async show(@Ctx() ctx: RequestContext, @Param('endpoint_id') id: string): Promise<object> {
    return { endpoint: endpointView(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':endpoint_id')
  @Protected('identity:update_endpoint')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('endpoint_id') id: string,
    @Body() { endpoint }: UpdateEndpointBody,
  ): Promise<object> {
    return { endpoint: endpointView(await this.service.update(ctx, id, endpoint), ctx.baseUrl) };
  }

  @Delete(':endpoint_id')
  @Protected('identity:delete_endpoint')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('endpoint_id') id: string): Promise<void> {
    return this.service.delete(ctx, id);
  }
}
