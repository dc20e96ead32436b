import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { ListRegionsQuery, RegionBody } from './region.dto.js';
import { RegionRepository } from './region.repository.js';
import { regionView } from './region.view.js';
import { RegionsService } from './regions.service.js';

@ApiTags('regions')
@Controller('v3/regions')
export class RegionsController {
  constructor(
    private readonly regions: RegionRepository,
    private readonly service: RegionsService,
  ) {}

  @Get()
  @Protected('identity:list_regions')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListRegionsQuery): Promise<object> {
    const filter = { parentRegionId: query.parent_region_id, inexact: inexactFilters(query) };
    const regions = await this.regions.list(ctx, filter, query);
    return pageView(ctx, query, ['regions', regions], regionView);
  }

  @Post()
  @Protected('identity:create_region')
  async create(@Ctx() ctx: RequestContext, @Body() { region }: RegionBody): Promise<object> {
    return { region: regionView(await this.service.create(ctx, region), ctx.baseUrl) };
  }

  /** Makes a region with the id of the path. */
  @Put(':region_id')
  @Protected('identity:create_region')
  @HttpCode(201)
  async createWithId(
    @Ctx() ctx: RequestContext,
    @Param('region_id') id: string,
    @Body() { region }: RegionBody,
  ): Promise<object> {
    return { region: regionView(await this.service.create(ctx, region, id), ctx.baseUrl) };
  }

  @Get(':region_id')
  @Protected('identity:get_region')
  async show(@Ctx() ctx: RequestContext, @Param('region_id') id: string): Promise<object> {
    return { region: regionView(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':region_id')
  @Protected('identity:update_region')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('region_id') id: string,
    @Body() { region }: RegionBody,
  ): Promise<object> {
    return { region: regionView(await this.service.update(ctx, id, region), ctx.baseUrl) };
  }

  @Delete(':region_id')
  @Protected('identity:delete_region')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('region_id') id: string): Promise<void> {
    return this.service.delete(ctx, id);
  }
}
