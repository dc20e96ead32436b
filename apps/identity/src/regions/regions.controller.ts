import { Body, Controller, Param, Put } from '@nestjs/common';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { crudController } from '../resource/crud.controller.js';
import { shownUnder } from '../resource/resource.view.js';
import { ListRegionsQuery, Region, RegionBody, RegionDto, RegionView } from './region.resource.js';
import { RegionsService } from './regions.service.js';

const answer = shownUnder('region', RegionView);

@Controller('v3/regions')
export class RegionsController extends crudController({
  kind: 'region',
  service: RegionsService,
  query: ListRegionsQuery,
  create: RegionDto,
  view: RegionView,
  errors: { create: [404, 409], delete: [403] },
}) {
  @Put(':region_id')
  @Protected('identity:create_region')
  @Operation('Create a region with a chosen id', answer, { status: 201, errors: [404, 409] })
  async createWithId(
    @Ctx() ctx: RequestContext,
    @Param('region_id') id: string,
    @Body() { region }: RegionBody,
  ): Promise<object> {
    return this.shown(ctx, await this.service.create(ctx, region, id));
  }
}

@Feature({ controllers: [RegionsController], providers: [RegionsService], entities: [Region] })
export class RegionsModule {}
