import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { CreateServiceBody, ListServicesQuery, UpdateServiceBody } from './service.dto.js';
import { ServiceRepository } from './service.repository.js';
import { serviceView } from './service.view.js';
import { ServicesService } from './services.service.js';

@ApiTags('services')
@Controller('v3/services')
export class ServicesController {
  constructor(
    private readonly services: ServiceRepository,
    private readonly service: ServicesService,
  ) {}

  @Get()
  @Protected('identity:list_services')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListServicesQuery): Promise<object> {
    const { type, name } = query;
    const filter = { type, name, inexact: inexactFilters(query) };
    const services = await this.services.list(ctx, filter, query);
    return pageView(ctx, query, ['services', services], serviceView);
  }

  @Post()
  @Protected('identity:create_service')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { service }: CreateServiceBody,
  ): Promise<object> {
    return { service: serviceView(await this.service.create(ctx, service), ctx.baseUrl) };
  }

  @Get(':service_id')
  @Protected('identity:get_service')
  async show(@Ctx() ctx: RequestContext, @Param('service_id') id: string): Promise<object> {
    return { service: serviceView(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':service_id')
  @Protected('identity:update_service')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('service_id') id: string,
    @Body() { service }: UpdateServiceBody,
  ): Promise<object> {
    return { service: serviceView(await this.service.update(ctx, id, service), ctx.baseUrl) };
  }

  @Delete(':service_id')
  @Protected('identity:delete_service')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('service_id') id: string): Promise<void> {
    return this.service.delete(ctx, id);
  }
}
