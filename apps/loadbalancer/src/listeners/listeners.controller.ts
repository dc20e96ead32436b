/** Public source: Load Balancer API v2 reference, "Listeners". */
import { Controller, Get, Param } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { MAX_BYTES } from '../members/member-batch.js';
import { resourceController } from '../resources/resource.controller.js';
import { listenerResource } from './listener.resource.js';
import { ListenersService } from './listeners.service.js';
import { statisticsOf, StatisticsView } from './statistics.js';

const Base = resourceController(listenerResource, ListenersService, {
  errors: [501],
  createBytes: MAX_BYTES,
});

@Controller('v2.0/lbaas/listeners')
export class ListenersController extends Base {
  declare readonly service: ListenersService;

  @Get(':listener_id/stats')
  @Allow('reader')
  @Operation('Get the statistics of a listener', StatisticsView)
  async stats(@Ctx() ctx: RequestContext, @Param('listener_id') id: string): Promise<object> {
    const row = await this.service.get(ctx, id);
    return statisticsOf(ctx, { listenerId: row.id });
  }
}

@Feature({ controllers: [ListenersController], providers: [ListenersService] })
export class ListenersModule {}
