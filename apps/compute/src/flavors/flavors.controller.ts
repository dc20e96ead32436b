import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { nextLink } from '../http/links.js';
import {
  ExtraSpecs,
  FlavorAnswer,
  FlavorList,
  flavorSummaryView,
  FlavorSummaryList,
  flavorView,
  ListFlavorsQuery,
} from './flavor.dto.js';
import { FlavorsService } from './flavors.service.js';

@ApiTags('flavors')
@Controller('flavors')
export class FlavorsController {
  constructor(private readonly flavors: FlavorsService) {}

  @Get()
  @Allow('reader')
  @Operation('List flavors', FlavorSummaryList)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListFlavorsQuery,
  ): Promise<FlavorSummaryList> {
    const { rows, more } = await this.flavors.list(ctx, query);
    const flavors = rows.map(flavorSummaryView(ctx));
    return { flavors, ...(more ? { flavors_links: nextLink(ctx, rows) } : {}) };
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List flavors with details', FlavorList)
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<FlavorList> {
    const { rows, more } = await this.flavors.list(ctx, query);
    const flavors = rows.map(flavorView(ctx));
    return { flavors, ...(more ? { flavors_links: nextLink(ctx, rows) } : {}) };
  }

  @Get(':flavor_id')
  @Allow('reader')
  @Operation('Show a flavor', FlavorAnswer)
  async show(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<FlavorAnswer> {
    return { flavor: flavorView(ctx)(await this.flavors.get(ctx, id)) };
  }

  @Get(':flavor_id/os-extra_specs')
  @Allow('reader')
  @Operation('List the extra specs of a flavor', ExtraSpecs)
  async extraSpecs(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
  ): Promise<ExtraSpecs> {
    await this.flavors.get(ctx, id);
    return { extra_specs: {} };
  }
}
