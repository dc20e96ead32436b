import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { listedUnder, pageView, shownUnder } from '../http/pages.js';
import { FlavorSummary, FlavorView, ListFlavorsQuery } from './flavor.dto.js';
import { Flavor } from './flavor.entity.js';
import { FlavorsService } from './flavors.service.js';

const ExtraSpecs = answerClass('ExtraSpecs', {
  extra_specs: Shown(Object, 'Further requirements: none.', { schema: { maxProperties: 0 } }),
});

@ApiTags('flavors')
@Controller('flavors')
export class FlavorsController {
  constructor(private readonly flavors: FlavorsService) {}

  @Get()
  @Allow('reader')
  @Operation('List flavors', listedUnder('flavors', FlavorSummary))
  async list(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<object> {
    const page = await this.flavors.page(ctx, query);
    return pageView(ctx, 'flavors', page, viewIn(ctx, FlavorSummary));
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List flavors with details', listedUnder('flavors', FlavorView))
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<object> {
    const page = await this.flavors.page(ctx, query);
    return pageView(ctx, 'flavors', page, viewIn(ctx, FlavorView));
  }

  @Get(':flavor_id')
  @Allow('reader')
  @Operation('Show a flavor', shownUnder('flavor', FlavorView))
  async show(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    return { flavor: viewIn(ctx, FlavorView)(await this.flavors.get(ctx, id)) };
  }

  @Get(':flavor_id/os-extra_specs')
  @Allow('reader')
  @Operation('List the extra specs of a flavor', ExtraSpecs)
  async extraSpecs(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    await this.flavors.get(ctx, id);
    return { extra_specs: {} };
  }
}

@Feature({ controllers: [FlavorsController], providers: [FlavorsService], entities: [Flavor] })
export class FlavorsModule {}
