import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { ApiQueries, queryParameters } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { IpAvailabilitiesService } from './ip-availabilities.service.js';
import { ipAvailabilityResource } from './ip-availability.resource.js';

const views = viewsOf(ipAvailabilityResource);

@ApiTags('network IP availabilities')
@Controller('v2.0/network-ip-availabilities')
export class NetworkIpAvailabilitiesController {
  constructor(private readonly availabilities: IpAvailabilitiesService) {}

  @Get()
  @Allow('admin', 'service')
  @ApiQueries(queryParameters(ipAvailabilityResource))
  @Operation('List how many addresses of networks are in use', views.list, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = query as ListQuery;
    const rows = await this.availabilities.list(ctx, asked);
    return {
      network_ip_availabilities: rows.map((row) => views.show(ctx, row, fieldsOf(asked))),
    };
  }

  @Get(':network_id')
  @Allow('admin', 'service')
  @Operation('Show how many addresses of a network are in use', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('network_id') id: string,
    @Query() query: object,
  ): Promise<object> {
    const row = await this.availabilities.get(ctx, id);
    return { network_ip_availability: views.show(ctx, row, fieldsOf(query as ListQuery)) };
  }
}

@Feature({
  controllers: [NetworkIpAvailabilitiesController],
  providers: [IpAvailabilitiesService],
})
export class NetworkIpAvailabilitiesModule {}
