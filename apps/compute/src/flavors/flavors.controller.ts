import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { nextLink } from '../http/next-link.js';
import { versionOf } from '../versions/microversions.js';
import { ListFlavorsQuery } from './flavor.dto.js';
import { flavorSummaryView, flavorView } from './flavor.view.js';
import { FlavorsService } from './flavors.service.js';

@ApiTags('flavors')
@Controller('flavors')
export class FlavorsController {
  constructor(private readonly flavors: FlavorsService) {}

  @Get()
  @Allow('reader')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<object> {
    const { rows, more } = await this.flavors.list(ctx, query);
    return {
      flavors: rows.map((row) => flavorSummaryView(row, ctx.baseUrl, versionOf(ctx))),
      ...(more ? { flavors_links: nextLink(ctx, rows) } : {}),
    };
  }

  @Get('detail')
  @Allow('reader')
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<object> {
    const { rows, more } = await this.flavors.list(ctx, query);
    return {
      flavors: rows.map((row) => flavorView(row, ctx.baseUrl, versionOf(ctx))),
      ...(more ? { flavors_links: nextLink(ctx, rows) } : {}),
    };
  }

  @Get(':flavor_id')
  @Allow('reader')
  async show(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    return { flavor: flavorView(await this.flavors.get(ctx, id), ctx.baseUrl, versionOf(ctx)) };
  }

  @Get(':flavor_id/os-extra_specs')
  @Allow('reader')
  async extraSpecs(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    await this.flavors.get(ctx, id);
    return { extra_specs: {} };
  }
}
